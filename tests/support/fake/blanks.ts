import type { Fields } from '../../../contract/fieldKinds.ts'

/** What a record has of fields that a fake says nothing about. */
export const blanksOf = <R extends object>(fields: Fields): R =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { kind, nullable }]) => [
      name,
      nullable || kind === 'day' ? null : ['integer', 'percent', 'record'].includes(kind) ? 0 : '',
    ]),
  ) as R
