import { count as figure, percent } from '../../contract/format.ts'

/** The outcome of a file's lines. */
export interface Counts {
  lines: number
  added: number
  repeated: number
  refused: number
  /** Of respondents who were withdrawn; visits have none. */
  withdrawn?: number
}

/** Shows progress as a bar on a terminal, else as a line every ten percent. */
export function openProgress(total: number): (done: number, counts: Counts) => void {
  let shown = -1
  return (done, counts) => {
    const share = total ? Math.min(1, done / total) : 1
    const figures = `${figure(counts.added)} added, ${figure(counts.repeated)} known, ${figure(counts.refused)} refused${counts.withdrawn ? `, ${figure(counts.withdrawn)} withdrawn` : ''}`
    if (process.stdout.isTTY)
      process.stdout.write(
        `\r\u001b[K${'█'.repeat(Math.round(share * 30)).padEnd(30, '░')} ${percent(Math.floor(share * 100))}  ${figures}`,
      )
    else if (Math.floor(share * 10) > shown) {
      shown = Math.floor(share * 10)
      console.log(`${percent(Math.floor(share * 100))}  ${figures}`)
    }
  }
}
