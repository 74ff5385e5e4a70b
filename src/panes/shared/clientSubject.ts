import { subjectAs } from '../../commands/subject.ts'
import type { RowOf } from '../../list/nounColumns.tsx'

/** Converts a client to a command subject. */
export const clientSubject = subjectAs<RowOf<'client'>>('client')
