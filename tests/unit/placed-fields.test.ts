import { expect, test } from 'vitest'
import { field } from '../../contract/fieldKinds.ts'
import { placed } from '../../src/panes/shared/form/FieldForm.tsx'

const FIELDS = {
  name: field.name('Name', {}),
  code: field.text('Code', {}),
  amount: field.text('Amount', {}),
  note: field.text('Note', {}),
}
const files = { fields: ['file_ids'], body: 'Files' }

test('a field in no section is drawn at the end of the last one with fields, in the order of the table', () => {
  expect(placed(FIELDS, [{ fields: ['amount'] }, { fields: ['name'] }, files], [])).toEqual([
    { fields: ['amount'] },
    { fields: ['name', 'code', 'note'] },
    files,
  ])
})
test('a hidden field is not drawn, and nothing changes where every field has its section', () => {
  expect(placed(FIELDS, [{ fields: ['name', 'code', 'amount'] }], ['note'])).toEqual([{ fields: ['name', 'code', 'amount'] }])
})
