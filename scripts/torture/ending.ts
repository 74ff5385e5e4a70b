import { constants } from 'node:os'
import { removeLeftovers } from '../../tests/support/leftovers.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** npm passes Ctrl+C on, so that one press arrives twice. */
const SAME_SIGNAL_MS = 500

/**
 * Makes a signal, an error that nobody caught, and a reader that has gone remove what the run started.
 * It then exits, by a signal with 128 and its number; a second signal exits at once.
 * Returns a function to wait for before the run goes on, which never returns once the run is ending.
 */
export function endCleanly(): () => Promise<void> {
  let since: number | undefined
  const end = async (code: number) => {
    since ??= performance.now()
    for (const problem of await removeLeftovers()) console.error(problem)
    process.exit(code)
  }
  for (const signal of SIGNALS)
    process.on(signal, () => {
      const code = 128 + constants.signals[signal]
      if (since === undefined) {
        console.error(`\n${signal}: what was started is being ended; a second signal leaves it.`)
        void end(code)
      } else if (performance.now() - since > SAME_SIGNAL_MS) process.exit(code)
    })
  process.on('uncaughtException', (error) => {
    // While it ends, what still runs fails in many ways.
    if (since !== undefined) return
    console.error(error)
    void end(1)
  })
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', () => {
      if (since === undefined) void end(1)
    })
  return () => (since === undefined ? Promise.resolve() : new Promise(() => {}))
}
