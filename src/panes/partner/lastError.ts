import { showTime } from '../../../contract/format.ts'
import type { ApiError } from '../../data/api.ts'

/** The last page's error, so that the page it redirects to needn't call the API again. */
let last: ApiError | null = null
export const noteError = (error: ApiError | null): void => {
  last = error
}
export const lastError = (): ApiError | null => last

/** Returns when a request ended, from the API's error; null if it doesn't say. */
export const endOf = ({ more }: ApiError): Date | null => {
  const at = typeof more.date === 'string' ? new Date(more.date) : null
  return at && !Number.isNaN(at.getTime()) ? at : null
}

/** Formats a moment in the reader's time zone: time only if today, otherwise date and time. */
export function momentOf(at: Date): string {
  const today = at.toDateString() === new Date().toDateString()
  return showTime(at, today ? 'clock with zone' : 'short with zone')
}

/** Explains why a link doesn't open, without revealing whether a request exists (screens-quote-flow.md, Not found). */
export function sentenceOf(error: ApiError | null): string {
  const at = error && endOf(error)
  const date = at ? showTime(at, 'day and year') : null
  if (error?.code === 'link_expired' && date) return `This link expired on ${date}.`
  if (error?.code === 'withdrawn' && date) return `This request was withdrawn on ${date}.`
  if (error?.code === 'called_off' && date) return `This request was called off on ${date}. No answer is needed any more.`
  if (error?.code === 'round_closed') return "This round is closed; you didn't answer."
  if (error?.code === 'link_replaced') return 'A newer link replaced this one. Open the newest email.'
  return "This request doesn't exist, or the link is not complete. Please open it from your email again. To keep or share it, use “Copy link” on its page, or forward the email."
}
