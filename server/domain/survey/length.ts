import { isLeftOpen } from '../../../contract/interview.ts'
import type { Db } from '../../db/connect.ts'
import { SECONDS, viewOf } from '../responses/answerColumns.ts'

/** One more than the largest code of a length. */
const CODES = 65_536

/** The length of surveys' interviews. */
export interface Length {
  /** Null without any. */
  median_seconds: number | null
  /** The completes that the median is of: those with a start that weren't left open. */
  timed: number
  left_open: number
}

/** Reads the length of surveys' interviews: two bytes of each complete. */
export async function lengthOf(db: Db, surveys: readonly number[]): Promise<Length> {
  const pieces = await db
    .selectFrom('answer_columns')
    .select(['width', 'codes'])
    .where('survey_id', 'in', surveys.length ? surveys : [0])
    .where('question_id', '=', SECONDS)
    .execute()
  const counts = new Uint32Array(CODES)
  for (const { width, codes } of pieces) for (const code of viewOf(codes, Number(width))) counts[code]!++
  let timed = 0
  let left_open = 0
  // Codes are one more than the seconds; 0 means no start time.
  for (let code = 1; code < CODES; code++) {
    if (isLeftOpen(code - 1)) left_open += counts[code]!
    else timed += counts[code]!
  }
  if (!timed) return { median_seconds: null, timed, left_open }
  const at = (place: number): number => {
    let passed = 0
    for (let code = 1; ; code++) {
      passed += counts[code]!
      if (passed > place) return code - 1
    }
  }
  return { median_seconds: (at(Math.floor((timed - 1) / 2)) + at(Math.floor(timed / 2))) / 2, timed, left_open }
}
