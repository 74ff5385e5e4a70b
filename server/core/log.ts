import { writeSync } from 'node:fs'

/** So much waits at most for a reader that is slow; what comes after it is lost. */
const MOST_WAITING = 1_000_000
const AGAIN_MS = 50

/**
 * Where the log goes: a file descriptor. A log that can't be written (its disk is full, nobody reads it any more) must not stop the server: lines are lost then, and
 * how many is said as soon as there is room. The usual destination throws from within a request, and the server hangs.
 */
export function logTo(
  fd: number,
  write: (fd: number, text: Buffer) => number = (to, text) => writeSync(to, text),
): { write(line: string): void } {
  let waiting = Buffer.alloc(0)
  let lost = 0
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    timer = undefined
    while (waiting.length) {
      try {
        waiting = waiting.subarray(write(fd, waiting))
      } catch (error) {
        if (/^(EAGAIN|EBUSY)$/.test(String((error as { code?: unknown }).code))) {
          timer = setTimeout(flush, AGAIN_MS).unref()
          return
        }
        waiting = Buffer.alloc(0)
        lost++
      }
    }
  }
  return {
    write(line) {
      if (waiting.length > MOST_WAITING) lost++
      else {
        // A line that was cut by the full disk is ended first.
        const said =
          lost && !waiting.length
            ? `\n${JSON.stringify({ level: 40, msg: `${lost} lines of this log were lost: they could not be written` })}\n`
            : ''
        const before = lost
        waiting = Buffer.concat([waiting, Buffer.from(said + line)])
        if (!timer) flush()
        if (said && lost === before) lost = 0
      }
    },
  }
}
