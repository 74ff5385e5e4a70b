import { civilToday } from '../../contract/pacing.ts'

/** The workspace's civil day, which is not UTC's between midnight there and in New York. */
export const today = (): string => civilToday('America/New_York', new Date())
