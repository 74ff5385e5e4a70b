import { expect, test } from 'vitest'
import { calls } from '../../contract/calls.ts'
import type { Field } from '../../contract/fieldKinds.ts'
import { olderNames, toOlder } from '../../contract/olderFields.ts'
import { rowFields, storedFields } from '../../contract/projectFields.ts'

const namesIn = (schema: unknown): string[] => Object.keys((schema as { shape: object }).shape)
const { data } = (calls['campaign.get'].output as unknown as { shape: { data: unknown } }).shape

test('every field of a project is in its calls, under its names in each spelling', () => {
  const record = (calls['project.get'].output as unknown as { shape: { data: unknown } }).shape.data
  for (const [name, field] of Object.entries(storedFields)) {
    for (const schema of [record, calls['project.create'].input, calls['project.edit'].input])
      expect(namesIn(schema), name).toContain(name)
    for (const older of olderNames(name, field as Field))
      for (const schema of [data, calls['campaign.edit'].input, calls['campaign.editProject'].input])
        expect(namesIn(schema), `${name} as ${older}`).toContain(older)
  }
})

test('a record of the older spelling has each name of a field, and dates as MM/DD/YYYY', () => {
  const row = Object.fromEntries(Object.keys(rowFields).map((name) => [name, name]))
  const older = toOlder(rowFields, { ...row, start_dt: '2026-03-01', end_dt: null } as Parameters<
    typeof toOlder<typeof rowFields>
  >[1])
  expect(older).toMatchObject({
    ...{ name: 'name', campaign_name: 'name', survey_url: 'survey_url', survey_link: 'survey_url' },
    ...{ start_date: '03/01/2026', end_date: '' },
  })
  expect(Object.keys(older)).not.toEqual(expect.arrayContaining(['requirements']))
  expect(Object.keys(older)).not.toEqual(expect.arrayContaining(['partner_id']))
})
