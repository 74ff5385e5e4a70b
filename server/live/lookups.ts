/** Looks something up once for all streams at the same event; `head` is that event's id. */
export type LookUp = <T>(head: number, what: string, look: () => Promise<T>) => Promise<T>

/** Events whose lookups are kept, so that streams slightly behind share them too. */
const HEADS = 4

/**
 * Shares the lookups of live streams; every change has an event of its own, so no result is older than its event.
 * A failure is shared by those waiting for it, and the next caller retries.
 */
export function shareLookups(): LookUp {
  const heads = new Map<number, Map<string, Promise<unknown>>>()
  return <T>(head: number, what: string, look: () => Promise<T>): Promise<T> => {
    const answers = heads.get(head) ?? new Map<string, Promise<unknown>>()
    heads.set(head, answers)
    if (heads.size > HEADS) heads.delete(Math.min(...heads.keys()))
    const known = answers.get(what)
    if (known) return known as Promise<T>
    const answer = look()
    answers.set(what, answer)
    answer.catch(() => answers.delete(what))
    return answer
  }
}
