import { allowedActions } from '../../contract/access.ts'
import { AUDIENCE_FIELDS, AUDIENCE_WORDS, type AudienceField, type audienceCalls } from '../../contract/audienceOption.ts'
import { faultsOf } from '../../contract/fieldKinds.ts'
import { landingFields, landingValues } from '../../contract/landingFields.ts'
import { CHANNELS } from '../../contract/offer.ts'
import { clauseOf, effectOf, joinClauses, NOTHING_CHANGED } from '../../contract/writeEffects.ts'
import { change, stale } from '../core/change.ts'
import type { Ctx } from '../core/context.ts'
import type { HandlersOf } from '../core/handler.ts'
import { onlyColumns } from '../core/onlyColumns.ts'
import { seenProject } from '../domain/project/detail.ts'
import { inField } from '../domain/project/inField.ts'

const stored = (ctx: Ctx, project_id: number) =>
  ctx.db.selectFrom('audience_options').selectAll().where('project_id', '=', project_id).executeTakeFirst()
type Stored = NonNullable<Awaited<ReturnType<typeof stored>>>

/** The columns that record when a field was last changed, and by whom. */
const STAMPS = {
  facebook_active: ['facebook_changed_at', 'facebook_changed_by'],
  fulcrum_active: ['fulcrum_changed_at', 'fulcrum_changed_by'],
  active: ['changed_at', 'changed_by'],
} as const satisfies Record<AudienceField, readonly [keyof Stored, keyof Stored]>

async function optionsOf(ctx: Ctx, project_id: number) {
  const project = await seenProject(ctx, project_id)
  const [row, landing, running] = await Promise.all([
    stored(ctx, project_id),
    ctx.db.selectFrom('landing_options').selectAll().where('project_id', '=', project_id).executeTakeFirst(),
    ctx.db
      .selectFrom('offers')
      .select((eb) => ['channel', eb.fn.countAll<number>().as('count')])
      .where('project_id', '=', project_id)
      .where('status', '=', 'running')
      .groupBy('channel')
      .execute(),
  ])
  const people = AUDIENCE_FIELDS.flatMap((field) => row?.[STAMPS[field][1]] ?? [])
  const names = people.length
    ? await ctx.db.selectFrom('users').select(['id', 'first_name', 'last_name']).where('id', 'in', people).execute()
    : []
  const nameOf = (id: number | null | undefined) => {
    const user = names.find((one) => one.id === id)
    return user ? `${user.first_name} ${user.last_name}`.trim() : ''
  }
  const runningIn = (channel: string) => Number(running.find((one) => one.channel === channel)?.count ?? 0)
  const faults = landing
    ? faultsOf(
        landingFields,
        landingValues({ ...landing, facebook_q1_text: landing.facebook_question, fulcrum_q1_text: landing.fulcrum_question }),
      )
    : null
  const ready = (channel: string) =>
    faults !== null && !Object.keys(faults).some((field) => field === 'survey_url' || field.startsWith(channel))
  return {
    project_id,
    project_name: project.name,
    in_field: inField(project),
    facebook_active: row?.facebook_active ?? 0,
    fulcrum_active: row?.fulcrum_active ?? 0,
    active: row?.active ?? 0,
    rows: AUDIENCE_FIELDS.map((field) => {
      const channels = CHANNELS.filter((channel) => field === 'active' || field === `${channel}_active`)
      return {
        field,
        name: AUDIENCE_WORDS[field],
        active: row?.[field] ?? 0,
        changed_at: row?.[STAMPS[field][0]] ?? null,
        changed_by_name: nameOf(row?.[STAMPS[field][1]]),
        running_offers: channels.reduce((sum, channel) => sum + runningIn(channel), 0),
        landing_ready: channels.every(ready),
      }
    }),
    lock_version: row?.lock_version ?? 0,
    ...allowedActions('audience', ctx.actor),
  }
}

export const audienceHandlers: HandlersOf<typeof audienceCalls> = {
  'audience.get': async (ctx) => ({ data: await optionsOf(ctx, ctx.input.projectId) }),
  'audience.edit': async (ctx) => {
    const { projectId, lock_version, ...values } = ctx.input
    await seenProject(ctx, projectId)
    const row = await stored(ctx, projectId)
    const changed = AUDIENCE_FIELDS.filter((field) => values[field] !== undefined && values[field] !== (row?.[field] ?? 0))
    const patch = Object.fromEntries(
      changed.flatMap((field) => [
        [field, values[field]!],
        [STAMPS[field][0], ctx.now],
        [STAMPS[field][1], ctx.actor.id],
      ]),
    )
    const fields = Object.fromEntries(changed.map((field) => [field, values[field]!]))
    const before = Object.fromEntries(changed.map((field) => [field, row?.[field] ?? 0]))
    // The stamps change with every write, so they are left out of the comparison.
    if (changed.length && row && lock_version !== undefined && lock_version !== row.lock_version)
      throw stale('audience', row, fields)
    if (changed.length && row)
      await change(ctx, 'audience_options', {
        subject: 'audience',
        id: row.id,
        patch,
        line: { project_id: projectId, before, after: fields },
        change: { noun: 'audience', project_id: projectId, audience: 'admin' },
      })
    else if (changed.length) {
      // Options removed by an undo no longer have a version.
      if (lock_version) throw stale('audience', { id: projectId, lock_version: 0, updated_at: ctx.now }, fields)
      const { id } = await ctx.tx
        .insertInto('audience_options')
        .values(
          onlyColumns('audience_options', {
            project_id: projectId,
            facebook_changed_at: null,
            facebook_changed_by: null,
            fulcrum_changed_at: null,
            fulcrum_changed_by: null,
            changed_at: null,
            changed_by: null,
            ...patch,
            created_at: ctx.now,
            updated_at: ctx.now,
          }),
        )
        .returning('id')
        .executeTakeFirstOrThrow()
      await ctx.record({ subject: 'audience', subject_id: id, project_id: projectId, before, after: fields })
      ctx.emit({ noun: 'audience', id, project_id: projectId, audience: 'admin' })
    }
    const clauses = changed.map((field) =>
      clauseOf(
        effectOf(values[field] ? 'audience.enable' : 'audience.disable'),
        { words: [AUDIENCE_WORDS[field], AUDIENCE_WORDS[field]] },
        ctx.dry ? 'before' : 'after',
      ),
    )
    return { data: await optionsOf(ctx, projectId), message: clauses.length ? joinClauses(clauses) : NOTHING_CHANGED }
  },
}
