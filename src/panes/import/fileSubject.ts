import type { Output } from '../../../contract/calls.ts'
import { type Subject, subjectAs } from '../../commands/subject.ts'

export type LocationFile = Output<'import.get'>['data']

const asImport = subjectAs<LocationFile>('import')
/** Converts a location file to a command subject, with its columns for the palette. */
export const fileSubject = (file: LocationFile): Subject => ({
  ...asImport(file),
  record: {
    ...file,
    columns: file.preview?.columns.map((field, at) => ({ field, heading: file.preview!.headings[at] ?? '' })) ?? [],
  },
})
