/** Looks something up once for all who ask the same as of the same event; `head` is that event's id. */
export type LookUp = <T>(head: number, what: string, look: () => Promise<T>) => Promise<T>

/** Events whose answers are kept: streams that are a little behind share theirs too. */
const HEADS = 4

/**
 * Shares what live streams look up. An answer is as old as its event at most: whatever changes it has an event of its own, for which it is looked up again.
 * A failure is shared with those who wait for it, and asked again by the next.
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
