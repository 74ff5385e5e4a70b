import type { Output } from '../../../contract/calls.ts'
import type { Subject } from '../../commands/subject.ts'

export type LocationFile = Output<'import.get'>['data']

/** Converts a location file to a command subject, with its columns for the palette. */
export const fileSubject = (file: LocationFile): Subject => ({
  kind: 'import',
  id: file.id,
  name: file.name,
  record: {
    ...file,
    columns: file.preview?.columns.map((field, at) => ({ field, heading: file.preview!.headings[at] ?? '' })) ?? [],
  },
})
