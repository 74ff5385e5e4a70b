import { count } from './format.ts'

/**
 * The length of interview, the same in Overview, client report and exports: from its start to its end.
 * One that was left open and finished days later says nothing about its length, so longer ones are only counted.
 */
export const LONGEST_INTERVIEW_HOURS = 12
const LONGEST = LONGEST_INTERVIEW_HOURS * 3600

/** The seconds between an interview's start and end, not negative; null without a start. */
export const interviewSeconds = ({ started_at, at }: { started_at: string | null; at: string }): number | null =>
  started_at === null ? null : Math.max(0, Math.round((Date.parse(at) - Date.parse(started_at)) / 1000))

/** True for an interview that was left open. */
export const isLeftOpen = (seconds: number): boolean => seconds > LONGEST

/** The end of a sentence about a median; empty if it leaves none out. */
export const leftOpenNote = (interviews: number): string =>
  interviews ? `, without ${count(interviews)} left open over ${LONGEST_INTERVIEW_HOURS} hours` : ''

/** Seconds as minutes with one decimal. */
export const inMinutes = (seconds: number): number => Math.round(seconds / 6) / 10

/** The minutes of an interview; null without a start, and for one that was left open. */
export const minutesOf = (interview: { started_at: string | null; at: string }): number | null => {
  const seconds = interviewSeconds(interview)
  return seconds === null || isLeftOpen(seconds) ? null : inMinutes(seconds)
}
