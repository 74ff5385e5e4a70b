import { z } from 'zod'
import { answerFields } from './proffer.ts'

/** Length of interview (minutes) and incidence (%) that a client expects, optional in request forms and editors. */
export const Expected = { loi_minutes: answerFields.loi_minutes, incidence: answerFields.incidence }
/** The same in a record's read; null if not known. */
export const ExpectedShape = { loi_minutes: z.number().nullable(), incidence: z.number().nullable() }
