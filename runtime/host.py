"""Host side of eager mode: two threads that feed one device stream through a ring queue.

Thread A prepares an operator (checks, shapes, output memory), thread B selects and tiles the kernel
and launches it; A runs ahead by at most the length of the ring. Level 0 does all in one thread,
level 2 moves more of the preparation to B.
"""

from __future__ import annotations

from collections import deque

from runtime.device import Device
from runtime.scheduler import Job
from runtime.timeline import HostSpan, TaskRecord, Timeline

RING = 4096
#: Percent of the per-operator host time that thread A takes, by level.
SHARE_OF_A = {0: 100, 1: 60, 2: 35}


class EagerHost:
    """Times of host threads and of one device stream; all in ns."""

    def __init__(self, device: Device, line: Timeline, level: int = 1) -> None:
        self.device = device
        self.line = line
        self.level = level
        self.a = 0
        self.b = 0
        self.tail = -device.overheads.gap
        self._ring: deque[int] = deque(maxlen=RING)
        self._launches = 0
        line.threads = ("main",) if level == 0 else ("main", "launch")
        line.streams = {0: "all engines"}

    def dispatch(self, name: str, tasks: list[tuple[Job, TaskRecord]]) -> None:
        """One operator: host work, then the launch of its kernels in order."""
        host = self.device.soc.host
        first = host.op_eager_ns * SHARE_OF_A[self.level] // 100
        start = self.a
        if len(self._ring) == RING:
            start = max(start, self._ring[0])
        self.a = start + first
        self.line.host.append(HostSpan(0, f"AscendCL@{name}GetWorkspaceSize", start, self.a))
        if self.level == 0:
            self.b = self.a
        else:
            start = max(self.b, self.a)
            self.b = start + host.op_eager_ns - first
            self.line.host.append(HostSpan(1, f"AscendCL@{name}", start, self.b))
        for job, record in tasks:
            self._launch(job, record)
        if self.level == 0:
            self.a = self.b
        self._ring.append(self.b)

    def _launch(self, job: Job, record: TaskRecord) -> None:
        thread = 0 if self.level == 0 else 1
        begin = self.b
        self.b = begin + self.device.soc.host.launch_ns
        number = self._launches
        self._launches += 1
        self.line.host.append(HostSpan(thread, "Node@launch", begin, self.b, launch=number))
        queued = max(self.b, self.tail + self.device.overheads.gap)
        self.tail = queued + max(job.duration, 1)
        self.line.tasks.append(
            TaskRecord(
                number,
                0,
                record.name,
                record.op_type,
                record.task_type,
                queued,
                queued,
                self.tail,
                record.block_dim,
                record.inputs,
                record.outputs,
                record.cost,
                number,
                -1,
                record.nbytes,
            )
        )

    def read_back(self, nbytes: int) -> None:
        """The host waits for the stream and reads a value: what data-dependent control costs."""
        host = self.device.soc.host
        start = max(self.a, self.b)
        done = max(start, self.tail) + host.stream_sync_ns + self.device.host_copy_ns(nbytes)
        self.line.host.append(HostSpan(0, "AscendCL@aclrtMemcpy", start, done))
        self.a = self.b = done

    def finish(self) -> None:
        """Wait for the stream: the end of the run."""
        start = max(self.a, self.b)
        done = max(start, self.tail) + self.device.soc.host.stream_sync_ns
        self.line.host.append(HostSpan(0, "AscendCL@aclrtSynchronizeStream", start, done))
        self.line.latency = done
