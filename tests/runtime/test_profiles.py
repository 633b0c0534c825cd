"""Chrome trace, msprof tables and the readable report."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ge_dialect.api import load, parse
from runtime.api import simulate
from runtime.op_summary import op_statistic_csv, op_summary_csv, task_time_csv
from runtime.report import nbytes, summary
from runtime.timeline import union_length
from runtime.trace import free_time, trace_json, us

EXAMPLE = Path(__file__).parents[2] / "examples" / "two_engines.mlir"

# As msprof writes it, level L1 with PipeUtilization metrics on cores split in cube and vector.
HEADER = (
    "Device_id,Model ID,Task ID,Stream ID,Op Name,OP Type,OP State,Task Type,Task Start Time(us),"
    "Task Duration(us),Task Wait Time(us),Block Num,Mix Block Num,HF32 Eligible,Input Shapes,"
    "Input Data Types,Input Formats,Output Shapes,Output Data Types,Output Formats,Context ID,"
    "aicore_time(us),aic_total_cycles,aic_mac_time(us),aic_mac_ratio,aic_scalar_time(us),"
    "aic_scalar_ratio,aic_mte1_time(us),aic_mte1_ratio,aic_mte2_time(us),aic_mte2_ratio,"
    "aic_fixpipe_time(us),aic_fixpipe_ratio,aic_icache_miss_rate,aiv_time(us),aiv_total_cycles,"
    "aiv_vec_time(us),aiv_vec_ratio,aiv_scalar_time(us),aiv_scalar_ratio,aiv_mte2_time(us),"
    "aiv_mte2_ratio,aiv_mte3_time(us),aiv_mte3_ratio,aiv_icache_miss_rate,cube_utilization(%)"
)


@pytest.fixture(scope="module")
def run():
    return simulate(load(EXAMPLE), values=False)


@pytest.fixture(scope="module")
def events(run):
    return json.loads(trace_json(run.timeline))


def _rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_microseconds():
    assert [us(v) for v in (0, 7, 1234, 30_000, -5)] == [
        "0.000",
        "0.007",
        "1.234",
        "30.000",
        "-0.005",
    ]


def test_trace_is_an_array_of_events(events):
    assert {e["ph"] for e in events} == {"M", "X", "s", "f"}
    for event in events:
        assert {"name", "pid", "tid", "ph"} <= set(event)
        if event["ph"] == "X":
            assert isinstance(event["ts"], str)
            assert len(event["ts"].split(".")[1]) == 3
            assert event["dur"] >= 0


def test_trace_names_processes_and_streams(events):
    names = {e["args"]["name"] for e in events if e["name"] == "process_name"}
    assert names == {"CANN", "Ascend Hardware", "Overlap Analysis"}
    threads = {e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert {"Stream 0 (AIcoreEngine)", "Stream 1 (DNN_VM_AICPU)"} <= threads


def test_trace_has_every_task_on_its_stream(run, events):
    device = next(e["pid"] for e in events if e.get("args", {}).get("name") == "Ascend Hardware")
    slices = [e for e in events if e["ph"] == "X" and e["pid"] == device]
    assert [(e["name"], e["tid"], e["ts"]) for e in slices] == [
        (t.name, t.stream, us(t.start)) for t in run.timeline.tasks
    ]
    assert {e["args"]["Task Type"] for e in slices} == {
        "AI_CORE",
        "AI_VECTOR_CORE",
        "AI_CPU",
        "EVENT_RECORD",
        "EVENT_WAIT",
    }


def test_flows_join_launch_and_kernel(events):
    starts = {e["id"]: e for e in events if e["ph"] == "s"}
    ends = {e["id"]: e for e in events if e["ph"] == "f"}
    assert starts
    assert starts.keys() == ends.keys()
    for number, start in starts.items():
        assert float(start["ts"]) <= float(ends[number]["ts"])


@pytest.mark.parametrize("mode", ["graph", "eager"])
def test_slices_name_the_launch_their_flow_belongs_to(mode):
    line = simulate(load(EXAMPLE), values=False, mode=mode).timeline
    events = json.loads(trace_json(line))
    slices = [e for e in events if e["ph"] == "X" and "connection_id" in e["args"]]
    for flow in (e for e in events if e["ph"] in "sf"):
        assert flow["name"] == f"HostToDevice{flow['id']}"
        same = [
            e for e in slices
            if (e["pid"], e["tid"], e["ts"]) == (flow["pid"], flow["tid"], flow["ts"])
        ]  # fmt: skip
        assert int(flow["id"]) >> 32 in [e["args"]["connection_id"] for e in same]


def test_host_slices_name_their_layer_and_what_they_start():
    line = simulate(load(EXAMPLE), values=False, mode="eager").timeline
    events = json.loads(trace_json(line))
    launches = [e["args"] for e in events if e["name"] == "Node@launch"]
    assert {(a["level"], a["id"]) for a in launches} == {("node", "launch")}
    assert [a["item_id"] for a in launches] == [t.name for t in line.tasks]
    (sync,) = [e["args"] for e in events if e["name"] == "AscendCL@aclrtSynchronizeStream"]
    assert (sync["level"], sync["id"], sync["item_id"]) == ("acl", "aclrtSynchronizeStream", "")


def test_copies_have_size_and_bandwidth():
    text = """ge.graph @g(%x: tensor<1048576xf32>) {
      %v = ge.Variable() : !ge.ref<tensor<1048576xf32>>
      %a = ge.Assign(%v, %x) : !ge.ref<tensor<1048576xf32>>
      %r = ge.Read(%a) : tensor<1048576xf32>
      %s = ge.Assign(%a, %r) : !ge.ref<tensor<1048576xf32>>
      %y = ge.Add(%r, %x) : tensor<1048576xf32>
      ge.NetOutput(%y)
    }
    """
    events = json.loads(trace_json(simulate(parse(text), values=False).timeline))
    copies = [e for e in events if e["ph"] == "X" and "size(B)" in e["args"]]
    assert copies
    for copy in copies:
        size, rate = copy["args"]["size(B)"], copy["args"]["bandwidth(GB/s)"]
        assert copy["args"]["operation"] == "device to device"
        assert size == 4 << 20
        assert rate == pytest.approx(size / (copy["dur"] * 1000), abs=1e-3)


def test_eager_traces_show_both_host_threads():
    line = simulate(load(EXAMPLE), values=False, mode="eager").timeline
    events = json.loads(trace_json(line))
    launches = [e for e in events if e["ph"] == "X" and e["name"] == "Node@launch"]
    assert len(launches) == len(line.tasks)
    assert {e["tid"] for e in launches} == {1}
    row = _rows(op_summary_csv(line))[0]
    assert (row["Model ID"], row["OP State"]) == ("4294967295", "dynamic")


def test_op_summary_header_is_msprofs(run):
    assert op_summary_csv(run.timeline).splitlines()[0] == HEADER


def test_op_summary_rows(run):
    rows = _rows(op_summary_csv(run.timeline))
    kernels = run.timeline.kernels()
    assert len(rows) == len(kernels)
    by_name = {r["Op Name"]: r for r in rows}
    conv = by_name["conv1"]
    assert conv["OP Type"] == "Conv2D"
    assert conv["Input Shapes"] == "1,1,64,64,16;1,1,16,16"
    assert conv["Input Data Types"] == "FLOAT16;FLOAT16"
    assert conv["Input Formats"] == "NC1HWC0;FRACTAL_Z"
    assert conv["Task Type"] == "AI_CORE"
    assert conv["Task Start Time(us)"].endswith("\t")
    assert 0 < float(conv["aic_mte2_ratio"]) <= 1
    assert by_name["relu1"]["Task Type"] == "AI_VECTOR_CORE"
    assert float(by_name["relu1"]["aiv_time(us)"]) > 0 == float(by_name["relu1"]["aicore_time(us)"])
    assert by_name["square"]["Task Type"] == "AI_CPU"
    assert by_name["square"]["aicore_time(us)"] == "N/A"


def test_totals_are_conserved(run):
    rows = _rows(op_summary_csv(run.timeline))
    statistic = _rows(op_statistic_csv(run.timeline))
    total = sum(round(float(r["Task Duration(us)"]) * 1000) for r in rows)
    assert total == sum(round(float(r["Total Time(us)"]) * 1000) for r in statistic)
    assert sum(int(r["Count"]) for r in statistic) == len(rows)
    assert abs(sum(float(r["Ratio(%)"]) for r in statistic) - 100) < 0.1


def test_task_time_lists_events(run):
    kinds = {r["kernel_type"] for r in _rows(task_time_csv(run.timeline))}
    assert {"EVENT_RECORD", "EVENT_WAIT", "AI_CORE", "AI_CPU"} <= kinds


def test_busy_and_free_make_the_span(run):
    kernels = run.timeline.kernels()
    span = max(t.end for t in kernels) - min(t.start for t in kernels)
    assert run.timeline.busy() + free_time(run.timeline) == span


def test_union_of_intervals():
    assert union_length([]) == 0
    assert union_length([(0, 3), (2, 5), (7, 8), (7, 7)]) == 6


def test_report(run):
    text = summary(run)
    assert text.startswith("model")
    assert "two_engines (loaded graph) on Ascend910B2" in text
    assert "engines overlap" in text
    assert "above the lower bound" in text
    assert [nbytes(v) for v in (0, 1023, 1536, 5 << 20)] == ["0 B", "1023 B", "1.5 KiB", "5.0 MiB"]


def test_report_of_an_empty_model():
    model = parse("ge.graph @e(%x: tensor<4xf32>) {\n  ge.NetOutput(%x)\n}\n")
    assert "0 tasks" not in summary(simulate(model, values=False))


_SCRIPT = """
import sys
from runtime.tools.ge_run import main
_, model, trace, ops = sys.argv
sys.exit(main([model, "--random-inputs", "0", "-q", "--trace", trace, "--op-summary", ops]))
"""


def _disabled_features():
    """All CPU features that numpy would choose at run time here."""
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

    return " ".join(f for f in __cpu_dispatch__ if __cpu_features__.get(f))


def test_bytes_depend_on_neither_hash_seed_nor_cpu(tmp_path):
    made = []
    for seed, disabled in (("1", ""), ("2", _disabled_features())):
        files = [tmp_path / f"{name}{seed}" for name in ("trace", "ops")]
        environment = {**os.environ, "PYTHONHASHSEED": seed, "NPY_DISABLE_CPU_FEATURES": disabled}
        command = [sys.executable, "-c", _SCRIPT, str(EXAMPLE), *map(str, files)]
        subprocess.run(command, check=True, env=environment)
        made.append([f.read_bytes() for f in files])
    assert made[0] == made[1]
    assert all(made[0])
