/** Ends this process as by SIGTERM once its parent is gone: npm's shell ends at a SIGTERM without passing it on. */
export function endWithParent(): void {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 200).unref()
}
