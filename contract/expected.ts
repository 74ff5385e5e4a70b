import { z } from 'zod'
import { answerFields } from './proffer.ts'

/** The expected length of interview (minutes) and incidence (%); optional in request forms and editors. */
export const Expected = { loi_minutes: answerFields.loi_minutes, incidence: answerFields.incidence }
/** The same fields in a record; null if unknown. */
export const ExpectedShape = { loi_minutes: z.number().nullable(), incidence: z.number().nullable() }
