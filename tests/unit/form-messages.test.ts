import { expect, test } from 'vitest'
import { activityFields, wholeFields } from '../../contract/activityFields.ts'
import { faultsOf, textsOf } from '../../contract/fieldKinds.ts'
import { audienceFields, marketFields } from '../../contract/targetFields.ts'
import { ASSET_FILES, CHILD_FILES, PICTURES, POST_TYPES, UPLOAD_TYPES, VIDEOS } from '../../contract/vocabulary.ts'
import { EMPTY } from '../../server/domain/target/targetLists.ts'
import { ASSET_RULES } from '../../src/panes/form/AddAssetPane.tsx'
import { childRules } from '../../src/panes/form/NewChildPane.tsx'
import { editDraft, editFaults } from '../../src/panes/form/projectEdit.ts'
import { type Draft, emptyDraft } from '../../src/panes/form/requestDraft.ts'
import { newerRules, olderRules, projectRules, requestResolver } from '../../src/panes/form/requestRules.ts'
import { type FormRules, readByRules } from '../../src/panes/shared/form/formRules.ts'
import { faultOf } from '../../src/panes/shared/form/useUploads.ts'
import { checkRows, checkRowsInTurn } from './rows.ts'

/*
 * The messages of projects-area.md, section 5, in the forms, one by one; tests/api checks the same for the calls.
 */

/** A form's messages on its values, by field. */
async function says<V extends object>(rules: FormRules<V>, values: V): Promise<Record<string, string | undefined>> {
  const labels = Object.fromEntries(Object.keys(values).map((field) => [field, field])) as Record<keyof V & string, string>
  return (await readByRules(rules, labels, values)).errors
}
const AUDIENCE = { age: ['2', '3'], gender: ['female'], location_based: 'yes' }

/** A request form's messages on a draft. */
async function saysOf(rules: typeof newerRules, draft: Draft, parentStart: string | null = null) {
  const { errors } = await requestResolver(rules, () => parentStart)(draft, undefined, {} as never)
  return Object.fromEntries(Object.entries(errors).map(([field, error]) => [field, (error as { message: string }).message]))
}
const whole: Draft = {
  ...emptyDraft('3'),
  ...{ name: 'Wave 1', goal: '300', start_dt: '2030-12-01', end_dt: '2030-12-22', url: 'https://survey.test/1' },
  ...AUDIENCE,
}

test('the newer request form says what is wrong', async () => {
  await checkRowsInTurn(
    [
      ['Project Name cannot be blank', 'name', { name: ' ' }],
      ['Project Goal cannot be blank', 'goal', { goal: '' }],
      ['Project Start Date cannot be blank', 'start_dt', { start_dt: '' }],
      ['Start Date has to be before End Date.', 'start_dt', { end_dt: '2030-11-30' }],
      ['Please choose at least one age', 'age', { age: [] }],
      ['Please choose at least one gender', 'gender', { gender: [] }],
      ['Please choose at least one target market', 'targeted_locations', { location_based: 'no' }],
      ['Location based is required', 'location_based', { location_based: '' }],
      ['Client is required', 'client_id', { client_id: '' }],
      ['Activity type is required', 'activity_type', { activity_type: '' }],
      ['Activity Action Type cannot be blank', 'action_type', { activity_type: 'photo' }],
      ['Please upload at least one file', 'file_ids', { activity_type: 'social' }],
      ['Please upload at least one file', 'file_ids', { activity_type: 'video', action_type: 'video' }],
      ['Please upload a File or add a URL to the survey Project', 'url', { url: '' }],
    ],
    async ([sentence, field, change]) => {
      expect(await saysOf(newerRules, whole)).toEqual({})
      expect((await saysOf(newerRules, { ...whole, ...change }))[field]).toBe(sentence)
    },
  )
})

test('"Start Date cant be before Star Date from Parent Campaign. ({date})", in the newer, the older and the project form', async () => {
  const sentence = 'Start Date cant be before Star Date from Parent Campaign. (12/10/2030)'
  for (const rules of [newerRules, olderRules, projectRules])
    expect((await saysOf(rules, { ...whole, targeted_locations: ['501'] }, '2030-12-10')).start_dt).toBe(sentence)
})

const older: Draft = { ...whole, location_based: 'no', targeted_locations: ['501'] }
test('the older request form says what is wrong', async () => {
  await checkRowsInTurn(
    [
      ['Project Name cannot be blank', 'name', { name: '' }],
      ['Project Goal cannot be blank', 'goal', { goal: '' }],
      ['Please choose at least one age', 'age', { age: [] }],
      ['Please choose at least one gender', 'gender', { gender: [] }],
      ['Please choose at least one target market', 'targeted_locations', { targeted_locations: [] }],
      ['Please upload a File or add a URL to the survey Project', 'url', { url: '' }],
    ],
    async ([sentence, field, change]) => {
      expect(await saysOf(olderRules, older)).toEqual({})
      expect((await saysOf(olderRules, { ...older, ...change }))[field]).toBe(sentence)
    },
  )
})

const project = {
  name: 'Wave 1',
  ...{ stored_status: 'active', transitions: [], goal: 300, client_id: 3, parent_id: null, children: [], files: [] },
  ...{ start_dt: '2030-12-01', end_dt: '2030-12-22', loi_minutes: null, incidence: null, campaign_type: 'Survey' },
  ...{ survey_url: '', partner_id: null, description: '', requirements: '' },
  activities: [
    {
      ...{ id: 7, lock_version: 1, name: 'Shelf', about: 'Look.', activity_type: 'survey', action_type: 'nothing' },
      ...{ social_type: '', social_text: '', social_link: '', url: 'https://survey.test/1' },
      target: { ...EMPTY, version: 1, age: '2,3', gender: 'female', targeted_locations: '501' },
    },
  ],
} as unknown as Parameters<typeof editDraft>[0]

test('the edit form, as a wizard, says what is wrong', () => {
  checkRows(
    [
      ['Project Name cannot be blank', 'name', { name: '' }],
      ['Project Status cannot be blank', 'status', { status: '' }],
      ['Project Goal cannot be blank', 'goal', { goal: ' ' }],
      ['Project Start Date cannot be blank', 'start_dt', { start_dt: '' }],
      ['Project End Date cannot be blank', 'end_dt', { end_dt: '' }],
      [
        'Please check Start and End dates. “13/40/2030” isn’t a date. Try 11/24, fri or in 6 weeks.',
        'start_dt',
        { start_dt: '13/40/2030' },
      ],
      ['Please check Start and End dates', 'end_dt', { end_dt: '2030-11-01' }],
      ['Start Date has to be before End Date.', 'start_dt', { end_dt: '2030-11-01' }],
      ['Activity Name cannot be blank', 'activity_name', { activity_name: '' }],
      ['Activity Description cannot be blank', 'about', { about: '' }],
      ['Activity Action Type cannot be blank', 'action_type', { activity_type: 'video' }],
      ['Please choose at least one age', 'age', { age: [] }],
      ['Please choose at least one gender', 'gender', { gender: [] }],
      ['Please choose at least one target market', 'targeted_locations', { targeted_locations: [] }],
      ['Please upload a File or add a URL to the survey Project', 'url', { url: '' }],
    ] as const,
    ([sentence, field, change]) => {
      const draft = editDraft(project)
      expect(editFaults(draft, project, true)).toEqual({})
      const faults = editFaults({ ...draft, ...change } as typeof draft, project, true)
      expect((faults as Record<string, string>)[field]).toBe(sentence)
    },
  )
})

const activity = {
  ...{ name: 'Shelf', about: 'Look.', activity_type: 'photo', action_type: 'photo', url: '' },
  ...{ social_type: '', social_text: '', social_link: '', start_dt: '2030-12-01', end_dt: '2030-12-22', file_ids: [] },
}
test('the edit form of an activity says what is wrong', () => {
  checkRows(
    [
      ['Activity Name cannot be blank', 'name', { name: '' }],
      ['Activity Description cannot be blank', 'about', { about: ' ' }],
      ['Activity Action Type cannot be blank', 'action_type', { action_type: '' }],
      ['Start Date has to be before End Date.', 'start_dt', { end_dt: '2030-11-30' }],
    ],
    ([sentence, field, change]) => {
      expect(faultsOf(activityFields, activity)).toEqual({})
      expect(faultsOf(activityFields, { ...activity, ...change })).toMatchObject({ [field]: sentence })
    },
  )
})

const added = {
  ...activity,
  ...{ hhi: [], ethnicity: [], marital_status: [], children: [], targeted_locations: [], survey_id: '' },
  ...AUDIENCE,
  file_ids: [{ id: 5, name: 'shelf.png', bytes: 3 }],
}
test('the form of a new activity says what is wrong', () => {
  checkRows(
    [
      ['Activity Name cannot be blank', 'name', { name: '' }],
      ['Activity Description cannot be blank', 'about', { about: '' }],
      ['Activity Action Type cannot be blank', 'action_type', { action_type: '' }],
      ['Please choose at least one age', 'age', { age: [] }],
      ['Please choose at least one gender', 'gender', { gender: [] }],
      ['Please choose at least one target market', 'targeted_locations', { location_based: 'no' }],
      ['Please upload at least one file', 'file_ids', { file_ids: [] }],
      ['Please upload a File or add a URL to the survey Project', 'url', { activity_type: 'survey', file_ids: [] }],
    ],
    ([sentence, field, change]) => {
      expect(faultsOf(wholeFields, added)).toEqual({})
      expect(faultsOf(wholeFields, { ...added, ...change })).toMatchObject({ [field]: sentence })
    },
  )
})

test('an audience needs "at least one age and one gender", and a market an area unless it is location based', () => {
  const target = { ...EMPTY, age: '2', gender: 'male' }
  expect(faultsOf(audienceFields, textsOf(audienceFields, target))).toEqual({})
  expect(faultsOf(audienceFields, textsOf(audienceFields))).toEqual({
    age: 'Please choose at least one age',
    gender: 'Please choose at least one gender',
  })
  expect(faultsOf(marketFields, { location_based: 'no', targeted_locations: [] })).toEqual({
    targeted_locations: 'Please choose at least one target market',
  })
  expect(faultsOf(marketFields, { location_based: 'yes', targeted_locations: [] })).toEqual({})
})

const child = { name: 'Wave 2', start_dt: '2030-12-01', end_dt: '', goal: '', copy: '', requirements: '' }
test('the form of a new child says what is wrong', async () => {
  await checkRowsInTurn(
    [
      ['Project Name cannot be blank', 'name', { name: '' }],
      ['Project Start Date cannot be blank', 'start_dt', { start_dt: '' }],
      ['Start Date has to be before End Date.', 'start_dt', { end_dt: '2030-11-30' }],
      ['Child 2: Project Name cannot be blank', 'rows', { rows: [{ name: '', start_dt: '2030-12-01', end_dt: '', goal: '' }] }],
    ],
    async ([sentence, field, change]) => {
      const values = { ...child, rows: [], file_ids: [] }
      expect(await says(childRules(3), values)).toEqual({})
      expect((await says(childRules(3), { ...values, ...change }))[field]).toBe(sentence)
    },
  )
})

test('an asset needs its type and its file: "Please choose an asset type", "Please select an asset"', async () => {
  const row = { key: 1, file: { id: 5, name: 'brief.pdf', bytes: 3 }, asset_type: 'Survey Document', description: '' }
  expect(await says(ASSET_RULES, { rows: [row] })).toEqual({})
  expect(await says(ASSET_RULES, { rows: [{ ...row, asset_type: '' }] })).toEqual({ rows: 'Please choose an asset type' })
  expect(await says(ASSET_RULES, { rows: [row, { ...row, key: 2, file: null }] })).toEqual({
    rows: 'Row 2: Please select an asset',
  })
})

test('"Invalid file type.  File must be one of following types {types}", "File must be smaller than {n} MB"', () => {
  const types = ['jpg', 'png']
  expect(faultOf({ name: 'shelf.JPG', size: 10 }, types)).toBeNull()
  expect(faultOf({ name: 'song.mp3', size: 10 }, types)).toBe('Invalid file type.  File must be one of following types jpg, png')
  // The size must be below 10,485,760 bytes.
  expect(faultOf({ name: 'shelf.png', size: 10_485_759 }, types)).toBeNull()
  expect(faultOf({ name: 'shelf.png', size: 10_485_760 }, types)).toBe('File must be smaller than 10 MB')
})

test('the files of assets, of a child, of a post, and what social and survey uploads take', () => {
  const documents = ['pdf', 'doc', 'docx', 'xls', 'xlsx', 'csv', 'txt']
  expect([...ASSET_FILES].sort()).toEqual([...['mp4', 'mov', 'jpg', 'jpeg', 'png', 'gif'], ...documents].sort())
  expect(CHILD_FILES).toEqual(['jpg', 'jpeg', 'png', 'gif', 'pdf', 'doc', 'docx', 'txt'])
  expect(POST_TYPES.map(({ value }) => value)).toEqual(['photo', 'video'])
  expect([PICTURES, VIDEOS]).toEqual([
    ['jpg', 'jpeg', 'png', 'gif'],
    ['mp4', 'mov'],
  ])
  for (const one of ['mp3', 'mp4', 'wma', 'mpg', 'mpeg', 'mpv', 'flv', 'avi', 'mov', 'wmv', ...PICTURES])
    expect(UPLOAD_TYPES).toContain(one)
})
