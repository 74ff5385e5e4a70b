import { workerData } from 'node:worker_threads'

/** How often the process is measured (ms): while it is, native code allocates some 50 MB. */
const EVERY = 50
const parent = process.ppid

// A thread of its own sees the memory of native code while the process's own thread is in it.
setInterval(() => {
  if (process.memoryUsage.rss() > workerData || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, EVERY)
