import { fieldTables } from '../../contract/fieldTables.ts'
import { olderRequestFields } from '../../contract/requestFields.ts'
import { marketFields } from '../../contract/targetFields.ts'
import { href, type RouteId } from '../../src/routing/routes.ts'
import { type RecordIds, recordIds } from '../e2e/recordIds.ts'
import { open, pane, ready, visit } from '../e2e/verbs.ts'
import { expect, test } from '../support/component.ts'

/*
 * Every field of a noun's table is in its form, in a section or in the table's order.
 * A field that isn't is named here with its reason, and so is a table that has no form of its own.
 */

const SOCIAL = 'only of a social activity'
const ACTION = 'only of photos and videos'
const CHOSEN = 'the screen’s'
const allAs = (fields: object, reason: string) => Object.fromEntries(Object.keys(fields).map((name) => [name, reason]))
interface Form {
  table: string
  route: RouteId
  of?: keyof RecordIds
  params?: Record<string, string | number>
  query?: Record<string, string>
  not?: Readonly<Record<string, string>>
}
const ofActivity = { social_type: SOCIAL, social_link: SOCIAL, social_text: SOCIAL, action_type: ACTION }
const asked = { company: 'asked of a client’s user whose company isn’t known' }
const request = { ...asked, ...ofActivity, reward_amount_cents: 'only of the second provider' }
const older = { ...asked, ...ofActivity, partner_id: 'not in the older call', reward_amount_cents: 'not in the older call' }
const byArea = { targeted_locations: 'only without locations' }

const FORMS: readonly Form[] = [
  { table: 'activity', route: 'editActivity', of: 'activity', not: ofActivity },
  { table: 'activity.whole', route: 'newActivity', of: 'project', not: { ...ofActivity, ...byArea } },
  { table: 'brand', route: 'brandEditor', params: { id: 0 }, not: { status: 'a new brand is active' } },
  { table: 'client', route: 'newClient' },
  { table: 'event', route: 'event', of: 'activity' },
  { table: 'group', route: 'newGroup', of: 'client', not: { client_id: CHOSEN } },
  { table: 'location', route: 'newLocation' },
  { table: 'note', route: 'newNote', of: 'project' },
  { table: 'post', route: 'post', of: 'activity' },
  {
    table: 'project',
    route: 'editProject',
    of: 'project',
    not: { reason: 'only with another status' },
  },
  { table: 'project.createChild', route: 'newChildSurvey', of: 'project' },
  { table: 'promo', route: 'promo', of: 'activity' },
  { table: 'question', route: 'newQuestion', of: 'survey', params: { questionType: 'survey' } },
  { table: 'request', route: 'newSurveyRequest', not: { ...request, ...byArea } },
  { table: 'olderRequest', route: 'interactiveForm', not: { ...older, description: 'of the other older forms' } },
  { table: 'reward', route: 'newReward', of: 'project' },
  { table: 'service.create', route: 'newService', of: 'brand' },
  { table: 'survey', route: 'editSurvey', of: 'survey' },
  {
    table: 'target',
    route: 'editTarget',
    of: 'activity',
    not: allAs(marketFields, 'of the market’s form, which needs an audience'),
  },
  { table: 'team', route: 'newTeam' },
]
/** Tables whose form is no route's, or whose fields are drawn one by one. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  account: 'outside the workspace',
  file: 'a row of a list',
  'file.addAssets': 'rows of files',
  landing: 'a tab of reports',
  notification: 'a row of a list',
  organization: 'groups of settings, saved one by one',
  partner: 'a small form',
  service: 'a row of a list',
  'session.requestAccount': 'outside the workspace',
  user: 'small forms, in the account and in a list',
  'user.invite': 'a small form',
  vip: 'a row of a list',
}
const tables = { ...fieldTables, olderRequest: olderRequestFields }

test('every table has a form here, or says where it is', () => {
  const named = [...new Set([...FORMS.map(({ table }) => table), ...Object.keys(ELSEWHERE)])]
  expect(named.sort()).toEqual(Object.keys(tables).sort())
})

const softly = expect.configure({ soft: true })
test('every field of a table is drawn in its form', async ({ page }) => {
  test.setTimeout(120_000)
  await open(page, 'notifications')
  const ids = await recordIds(page)
  for (const { table, route, of, params, query = {}, not = {} } of FORMS) {
    const id = of ? { id: ids[of][0]! } : {}
    await visit(page, href(route, { ...id, ...params } as never, { query }))
    await ready(page)
    await softly(pane(page).locator('[data-field]').first(), table).toBeAttached()
    const fields = Object.keys(tables[table as keyof typeof tables] as object)
    const missing = () =>
      pane(page)
        .locator('[data-field]')
        .evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.field!))
        .then((drawn) => fields.filter((name) => !drawn.includes(name) && !(name in not)))
    await softly.poll(missing, { message: table, timeout: 5000 }).toEqual([])
  }
})
