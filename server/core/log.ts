import { writeSync } from 'node:fs'

/** The most bytes that wait for a slow reader; anything beyond is lost. */
const MOST_WAITING = 1_000_000
const AGAIN_MS = 50

/**
 * A log destination (file descriptor) that never stops the server: lines it can't write are lost and counted.
 * The usual destination throws within a request on a full disk, and the server hangs.
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
        // End the line that the full disk cut off.
        const notice =
          lost && !waiting.length
            ? `\n${JSON.stringify({ level: 40, msg: `${lost} lines of this log were lost: they could not be written` })}\n`
            : ''
        const before = lost
        waiting = Buffer.concat([waiting, Buffer.from(notice + line)])
        if (!timer) flush()
        if (notice && lost === before) lost = 0
      }
    },
  }
}
