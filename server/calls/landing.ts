import { allowedActions } from '../../contract/access.ts'
import { faultsOf } from '../../contract/fieldKinds.ts'
import type { Landing, LandingTexts, landingCalls } from '../../contract/landing.ts'
import { landingFields, landingValues } from '../../contract/landingFields.ts'
import { change, difference, stale } from '../core/change.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { invalid } from '../core/errors.ts'
import { columnsIn } from '../core/fieldColumns.ts'
import type { HandlersOf } from '../core/handler.ts'
import { onlyColumns } from '../core/onlyColumns.ts'
import { refuseFaults } from '../core/refuseFaults.ts'
import { seenProject } from '../domain/project/detail.ts'
import { inField } from '../domain/project/inField.ts'

const stored = (ctx: Ctx, project_id: number) =>
  ctx.db.selectFrom('landing_options').selectAll().where('project_id', '=', project_id).executeTakeFirst()
type Stored = NonNullable<Awaited<ReturnType<typeof stored>>>

const textsOf = (row: Stored | undefined): LandingTexts => ({
  survey_url: row?.survey_url ?? '',
  facebook_q1_text: { question: row?.facebook_question ?? '' },
  fulcrum_q1_text: { question: row?.fulcrum_question ?? '' },
  facebook_disqualify_text: row?.facebook_disqualify_text ?? '',
  fulcrum_disqualify_text: row?.fulcrum_disqualify_text ?? '',
  facebook_landing_url: row?.facebook_landing_url ?? '',
  fulcrum_landing_url: row?.fulcrum_landing_url ?? '',
})
const columnsOf = (texts: LandingTexts) => columnsIn('landing_options', landingFields, landingValues(texts))

async function landingOf(ctx: Ctx, cid: number): Promise<Landing> {
  const project = await seenProject(ctx, cid)
  const row = await stored(ctx, cid)
  return {
    cid,
    project_id: cid,
    project_name: project.name,
    ...textsOf(row),
    project_survey_url: project.survey_url,
    in_field: inField(project),
    lock_version: row?.lock_version ?? 0,
    ...allowedActions('landing', ctx.actor),
  }
}

export const landingHandlers: HandlersOf<typeof landingCalls> = {
  'landing.get': async (ctx) => ({ data: await landingOf(ctx, ctx.input.cid) }),
  'landing.save': async (ctx) => {
    const { cid, lock_version, ...sent } = ctx.input
    await seenProject(ctx, cid)
    const row = await stored(ctx, cid)
    const values = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
    if (!Object.keys(values).length) throw invalid('input', 'Nothing to change was sent.')
    const texts: LandingTexts = { ...textsOf(row), ...values }
    const faults = faultsOf(landingFields, landingValues(texts))
    refuseFaults(landingFields, faults, landingValues(texts))
    const patch = columnsOf(texts)
    const line = { project_id: cid }
    if (row)
      await change(ctx, 'landing_options', {
        subject: 'landing page',
        id: row.id,
        patch,
        lock: lock_version,
        line: { ...line, subject: 'landing', subject_id: row.id },
        change: { noun: 'landing', project_id: cid, audience: 'admin' },
      })
    else {
      // A page removed by an undo no longer has a version.
      if (lock_version) throw stale('landing page', { id: cid, lock_version: 0, updated_at: ctx.now }, patch)
      const { id } = await ctx.tx
        .insertInto('landing_options')
        .values(onlyColumns('landing_options', { project_id: cid, ...patch, created_at: ctx.now, updated_at: ctx.now }))
        .returning('id')
        .executeTakeFirstOrThrow()
      await ctx.record({
        subject: 'landing',
        subject_id: id,
        ...line,
        after: difference(columnsOf(textsOf(undefined)), patch).after,
      })
      ctx.emit({ noun: 'landing', id, project_id: cid, audience: 'admin' })
    }
    return { data: await landingOf(ctx, cid), message: describeEffect(ctx, 'landing.save', { noun: 'landing' }) }
  },
}
