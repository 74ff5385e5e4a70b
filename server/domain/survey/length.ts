import type { Db } from '../../db/connect.ts'
import { SECONDS, viewOf } from '../responses/answerColumns.ts'

/** One more than the longest interview that is stored to the second. */
const CODES = 65_536

/** The median length of surveys' interviews in seconds, over `timed` completes; reads two bytes of each. */
export async function lengthOf(db: Db, surveys: readonly number[]): Promise<{ median_seconds: number | null; timed: number }> {
  const pieces = await db
    .selectFrom('answer_columns')
    .select(['width', 'codes'])
    .where('survey_id', 'in', surveys.length ? surveys : [0])
    .where('question_id', '=', SECONDS)
    .execute()
  const counts = new Uint32Array(CODES)
  for (const { width, codes } of pieces) for (const code of viewOf(codes, Number(width))) counts[code]!++
  const timed = counts.reduce((sum, count, code) => (code ? sum + count : 0), 0)
  if (!timed) return { median_seconds: null, timed }
  // Codes are one more than the seconds; 0 means no start time.
  const at = (place: number): number => {
    let passed = 0
    for (let code = 1; ; code++) {
      passed += counts[code]!
      if (passed > place) return code - 1
    }
  }
  return { median_seconds: (at(Math.floor((timed - 1) / 2)) + at(Math.floor(timed / 2))) / 2, timed }
}
