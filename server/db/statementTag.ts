import { AsyncLocalStorage } from 'node:async_hooks'

const tags = new AsyncLocalStorage<{ tag: string; background: boolean }>()

/** Runs work whose statements carry a comment, by which PostgreSQL's log and pg_stat_activity name their cause. */
export const withTag = <T>(tag: string, work: () => T): T => tags.run({ tag, background: false }, work)

/** The same for work that no caller waits for, so that its statements may take longer (`Waits`). */
export const inBackground = <T>(tag: string, work: () => T): T => tags.run({ tag, background: true }, work)

/** True within `inBackground`. */
export const isBackground = (): boolean => tags.getStore()?.background === true

/** A statement with the current tag in front, where PostgreSQL doesn't cut it off. */
export function tagged(text: string): string {
  const tag = tags.getStore()?.tag
  // The tag is our own text, but nothing in it may end the comment.
  return tag === undefined ? text : `/* ${tag.replaceAll('*/', '')} */ ${text}`
}
