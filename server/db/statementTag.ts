import { AsyncLocalStorage } from 'node:async_hooks'

const tags = new AsyncLocalStorage<string>()

/** Runs work whose statements carry a comment, by which PostgreSQL's log and pg_stat_activity name their cause. */
export const withTag = <T>(tag: string, work: () => T): T => tags.run(tag, work)

/** A statement with the current tag in front, where PostgreSQL doesn't cut it off. */
export function tagged(text: string): string {
  const tag = tags.getStore()
  // The tag is our own text, but nothing in it may end the comment.
  return tag === undefined ? text : `/* ${tag.replaceAll('*/', '')} */ ${text}`
}
