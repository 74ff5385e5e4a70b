/* What survey links answered when somebody asked: kept while the page is open, never stored. */

/** What a link answered, and when. */
export interface LinkCheck {
  link: string
  status: number | null
  trouble: string
  at: string
}

const checks = new Map<number, LinkCheck>()
const listeners = new Set<() => void>()

/** Keeps what a survey's link answered. */
export function noteLinkCheck(survey: number, check: LinkCheck): void {
  checks.set(survey, check)
  for (const heard of listeners) heard()
}
/** What a survey's link answered last; null if it was not asked, or another link was. */
export const linkCheckOf = (survey: number, link: string): LinkCheck | null => {
  const found = checks.get(survey)
  return found?.link === link ? found : null
}
/** For `useSyncExternalStore`. */
export function onLinkCheck(heard: () => void): () => void {
  listeners.add(heard)
  return () => listeners.delete(heard)
}
/** "answers 200", or why it doesn't. */
export const answerOf = ({ status, trouble }: LinkCheck): string =>
  status === null ? `does not answer: ${trouble}` : `answers ${status}`
/** True if people who follow the link get to something. */
export const isReached = ({ status }: LinkCheck): boolean => status !== null && status < 400
