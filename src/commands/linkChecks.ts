/* Results of checking survey links: kept while the page is open, never stored. */

/** The response to a link, and when it came. */
export interface LinkCheck {
  link: string
  status: number | null
  trouble: string
  at: string
}

const checks = new Map<number, LinkCheck>()
const listeners = new Set<() => void>()

/** Stores the result of checking a survey's link. */
export function noteLinkCheck(survey: number, check: LinkCheck): void {
  checks.set(survey, check)
  for (const listener of listeners) listener()
}
/** Returns the last result for a survey's link; null if it hasn't been checked, or another link was. */
export const linkCheckOf = (survey: number, link: string): LinkCheck | null => {
  const found = checks.get(survey)
  return found?.link === link ? found : null
}
/** Subscribes to results, for `useSyncExternalStore`. */
export function onLinkCheck(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
/** Describes a result: "answers 200", or why it doesn't. */
export const answerOf = ({ status, trouble }: LinkCheck): string =>
  status === null ? `does not answer: ${trouble}` : `answers ${status}`
/** True if people who follow the link reach a page. */
export const isReached = ({ status }: LinkCheck): boolean => status !== null && status < 400
