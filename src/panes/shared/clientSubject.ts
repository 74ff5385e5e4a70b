import { subjectAs } from '../../commands/subject.ts'
import type { RowOf } from '../../list/nounColumns.tsx'

/** A client as a command subject. */
export const clientSubject = subjectAs<RowOf<'client'>>('client')
