"""The machine: simulated device, kernels, executors, profiler."""
