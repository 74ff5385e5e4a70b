import { seesAll } from '../../../contract/actor.ts'
import { count as shown } from '../../../contract/format.ts'
import { storedFields } from '../../../contract/projectFields.ts'
import { usualReward } from '../../../contract/requestFields.ts'
import { rewardFields } from '../../../contract/rewardFields.ts'
import { countedUntil } from '../../core/clockSkew.ts'
import type { Ctx } from '../../core/context.ts'
import { invalid } from '../../core/errors.ts'
import { columnsIn } from '../../core/fieldColumns.ts'
import { onlyColumns } from '../../core/onlyColumns.ts'
import { ago, DAY_MS, limitOf, tooOften } from '../../core/quotas.ts'
import { clientScope } from '../../core/scope.ts'
import { advisoryLock } from '../../db/locked.ts'
import type { ActivityTable } from '../../db/schema.ts'
import { newLists, type TargetInput } from '../target/targetLists.ts'
import { addTarget } from '../target/write.ts'
import { assertMarkets } from './audience.ts'
import { seenProject } from './detail.ts'
import { checkFamily, heldFamily } from './family.ts'
import { newProject } from './newProject.ts'
import { checkDates } from './projectDates.ts'

/** A validated request of either generation. */
export interface RequestForm {
  generation: 'campaign' | 'project'
  client_id: number
  parent_id?: number | null | undefined
  name: string
  goal: number
  start_dt: string
  end_dt: string
  description: string
  requirements: string
  /** Saved as a note on the project, unless empty. */
  note: string
  loi_minutes?: number | null | undefined
  incidence?: number | null | undefined
  activity: Pick<ActivityTable, 'activity_type' | 'action_type' | 'about' | 'social_type' | 'social_text' | 'social_link' | 'url'>
  audience: TargetInput
  /** The reward provider; with 600, a reward is added. */
  partner_id: 1 | 600 | null
  reward_amount_cents: number | undefined
  file_ids: readonly number[]
}
/** The call's names for a request's fields, where they differ. */
export interface FieldNames {
  start: string
  markets: string
}

async function assertSeesClient(ctx: Ctx, id: number): Promise<void> {
  const client = await ctx.db
    .selectFrom('clients')
    .select('id')
    .where('id', '=', id)
    .where(clientScope(ctx.actor))
    .executeTakeFirst()
  if (!client) throw invalid('client_id', `client_id is not a client of yours: ${id}`)
}

/** Throws 429 once a client user has used up the requests of a day. */
async function refuseTooOften(ctx: Ctx): Promise<void> {
  if (seesAll(ctx.actor)) return
  await advisoryLock(ctx.services.database, ctx.tx, 'requests', ctx.actor.id)
  const most = limitOf(ctx, 'requests_day')
  const { count, first } = await ctx.tx
    .selectFrom('projects')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('created_at').as('first')])
    .where('requested_by', '=', ctx.actor.id)
    .where('created_at', '>', ago(ctx, DAY_MS))
    .where('created_at', '<=', countedUntil(ctx))
    .executeTakeFirstOrThrow()
  if (Number(count) >= most)
    throw tooOften(`You can make ${shown(most)} requests a day.`, Date.parse(first ?? ctx.now) + DAY_MS - Date.parse(ctx.now))
}

/** Checks client, markets, parent and the parent's dates; throws a 422 that names the field. */
export async function checkRequest(
  ctx: Ctx,
  form: Pick<RequestForm, 'client_id' | 'parent_id' | 'start_dt' | 'end_dt' | 'generation'> & { markets: readonly string[] },
  names: FieldNames,
): Promise<void> {
  await assertSeesClient(ctx, form.client_id)
  await assertMarkets(ctx, form.markets, names.markets)
  if (form.parent_id) await seenProject(ctx, form.parent_id)
  await checkFamily(ctx, form)
  const { start_dt, end_dt, parent_id = null } = form
  await checkDates(ctx, null, { start_dt, end_dt, parent_id }, names.start)
}

/** Links the caller's own uploads, unless they belong to a project already. */
export async function linkFiles(ctx: Ctx, ids: readonly number[], project_id: number, activity_id: number): Promise<void> {
  if (!ids.length) return
  const files = await ctx.tx
    .selectFrom('files')
    .select('id')
    .where('id', 'in', [...ids])
    .where('project_id', 'is', null)
    .where('uploaded_by', '=', ctx.actor.id)
    .execute()
  const missing = ids.filter((id) => !files.some((file) => file.id === id))
  if (missing.length) throw invalid('file_ids', `file_ids has a file you can’t attach: ${missing.join(', ')}`)
  await ctx.tx
    .updateTable('files')
    .set({ project_id, activity_id, updated_at: ctx.now })
    .where('id', 'in', [...ids])
    .execute()
}

/** Adds the second provider's reward to a new project that has that provider. */
export async function makeReward(
  ctx: Ctx,
  project: { id: number; name: string },
  { partner_id, reward_amount_cents: amount_cents = usualReward }: Pick<RequestForm, 'partner_id' | 'reward_amount_cents'>,
): Promise<void> {
  if (partner_id !== 600) return
  const provider_code = rewardFields.provider_code.fill({ amount: String(amount_cents / 100), partner_id: '600' })
  await ctx.tx
    .insertInto('rewards')
    .values({
      created_at: ctx.now,
      updated_at: ctx.now,
      project_id: project.id,
      name: `${project.name} reward`.slice(0, 200),
      amount_cents,
      provider_id: 600,
      provider_code,
      description: '',
      reward_type: 'gift_card',
      deleted_at: null,
    })
    .execute()
}

/** The description of a request's activity, which Edit activity requires: its own, the request's, or the name. */
const aboutOf = ({ activity, description, requirements, name }: RequestForm): string =>
  [activity.about, description, requirements].find((text) => text.trim()) ?? name

/** Creates a request's project, activity, target, survey, files, note and reward; returns the first two's ids. */
export async function makeRequest(ctx: Ctx, form: RequestForm): Promise<{ id: number; activity_id: number }> {
  await refuseTooOften(ctx)
  // Checked again, as another write may have moved the parent since.
  if (form.parent_id) {
    await heldFamily(ctx, form.parent_id)
    await checkFamily(ctx, form)
  }
  const { activity, audience, name, start_dt, end_dt } = form
  const stamps = { created_at: ctx.now, updated_at: ctx.now }
  const isSurvey = activity.activity_type === 'survey'
  const { id } = await ctx.tx
    .insertInto('projects')
    .values(
      onlyColumns('projects', {
        ...stamps,
        ...newProject(ctx),
        generation: form.generation,
        ...columnsIn('projects', storedFields, {
          ...form,
          campaign_type: isSurvey ? 'Survey' : 'Content',
          survey_url: isSurvey ? activity.url : '',
        }),
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: activity_id } = await ctx.tx
    .insertInto('activities')
    .values(
      onlyColumns('activities', {
        ...stamps,
        project_id: id,
        name,
        ...activity,
        about: aboutOf(form),
        start_dt,
        end_dt,
        deleted_at: null,
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  await addTarget(ctx, { id: activity_id, project_id: id }, newLists(audience))
  if (isSurvey)
    await ctx.tx
      .insertInto('surveys')
      .values(
        onlyColumns('surveys', {
          ...stamps,
          project_id: id,
          activity_id,
          name,
          survey_link: activity.url,
          survey_vendor: '',
          questions_count: 0,
          deleted_at: null,
        }),
      )
      .execute()
  await linkFiles(ctx, form.file_ids, id, activity_id)
  if (form.note)
    await ctx.tx
      .insertInto('notes')
      .values(onlyColumns('notes', { ...stamps, project_id: id, note: form.note, author_id: ctx.actor.id }))
      .execute()
  await makeReward(ctx, { id, name }, form)
  await ctx.record({
    subject: 'project',
    subject_id: id,
    after: { name, ordered: form.goal, client_id: form.client_id, start_dt },
  })
  ctx.emit({ noun: 'project', id, project_id: id })
  return { id, activity_id }
}
