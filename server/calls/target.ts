import { counted } from '../../contract/format.ts'
import type { targetCalls } from '../../contract/target.ts'
import { targetFields } from '../../contract/targetFields.ts'
import { unchangedOf } from '../../contract/writeEffects.ts'
import { appliedFields } from '../core/appliedFields.ts'
import type { Ctx } from '../core/context.ts'
import { describeEffect } from '../core/describeEffect.ts'
import { HttpError, invalid, notFound } from '../core/errors.ts'
import { type HandlersOf, ownTransaction } from '../core/handler.ts'
import { marketReader } from '../domain/project/projectMarkets.ts'
import { readingOf } from '../domain/responses/surveyAnswers.ts'
import { completesByArea, completesOf, inAreas } from '../domain/target/completes.ts'
import { areasLeft, effectsOf } from '../domain/target/effects.ts'
import { changedLists, EMPTY, GROUPS, type Lists, valuesOf } from '../domain/target/targetLists.ts'
import { versionsOf } from '../domain/target/versions.ts'
import { checkMarkets, saveTarget, seenActivity, targetOf } from '../domain/target/write.ts'

/** A target as it is read. */
async function shownTarget(ctx: Ctx, activityId: number) {
  const target = await targetOf(ctx, activityId)
  if (!target) throw notFound(`The target of activity ${activityId}`)
  const { updated_at: _, ...shown } = target
  return { ...shown, target_markets: marketReader()(target.targeted_locations).markets }
}

/** Writes the audience and markets of activities (screens-projects.md, Activities and targets). */
export const targetHandlers: HandlersOf<typeof targetCalls> = {
  'target.create': async (ctx) => {
    const { activity_id, ...sent } = ctx.input
    const activity = await seenActivity(ctx as Ctx, activity_id)
    const there = await targetOf(ctx as Ctx, activity_id)
    if (there)
      throw new HttpError(409, 'stale', `This activity already has a target, at version ${there.version}.`, {
        theirs: { ...there },
        mine: sent,
        clashes: Object.keys(changedLists(there, sent)),
      })
    await saveTarget(ctx as Ctx, activity, { sent })
    return { data: await shownTarget(ctx as Ctx, activity_id), message: describeEffect(ctx, 'target.create', { noun: 'target' }) }
  },

  'target.edit': async (ctx) => {
    const { activity_id, version, reason, ...sent } = ctx.input
    const activity = await seenActivity(ctx as Ctx, activity_id)
    if (!(await targetOf(ctx as Ctx, activity_id)))
      throw new HttpError(409, 'not_now', 'This activity has no target yet. Create its first one.')
    await saveTarget(ctx as Ctx, activity, { sent, version, reason })
    return { data: await shownTarget(ctx as Ctx, activity_id), message: describeEffect(ctx, 'target.edit', { noun: 'target' }) }
  },

  'target.check': ownTransaction({ noKey: 'it stores nothing' }, async (ctx) => {
    const { activity_id, version: _, ...sent } = ctx.input
    const activity = await seenActivity(ctx as Ctx, activity_id)
    const [target, completes] = await Promise.all([targetOf(ctx as Ctx, activity_id), completesOf(readingOf(ctx), activity_id)])
    const current: Lists = target ?? EMPTY
    const patch = changedLists(current, appliedFields(ctx, targetFields, sent, current))
    if (patch.targeted_locations) await checkMarkets(ctx as Ctx, current, patch)
    const version = target?.version ?? 0
    const outside = completes.outside({ ...current, ...patch })
    const left = areasLeft(current, patch)
    const areas = left.length ? await completesByArea(readingOf(ctx), activity_id) : new Map<number, number>()
    const { markets } = marketReader()(left.join(','))
    return {
      data: {
        activity_id,
        in_field: activity.status === 'active' || activity.status === 'paused',
        version,
        next_version: Object.keys(patch).length ? version + 1 : version,
        completes: completes.total,
        inside: completes.total - outside,
        outside,
        areas_left: markets.map((area) => ({ ...area, completes: areas.get(area.id) ?? 0 })),
        areas_completes: inAreas(areas, left),
        effects: effectsOf(current, patch, version, { counted: completes, areas }),
      },
    }
  }),

  'target.copy': async (ctx) => {
    const { activity_id, to } = ctx.input
    const source = await seenActivity(ctx as Ctx, activity_id)
    const target = await targetOf(ctx as Ctx, activity_id)
    if (!target) throw new HttpError(409, 'not_now', 'This activity has no audience to copy yet.')
    const audience = Object.fromEntries(GROUPS.map((group) => [group, valuesOf(target[group])]))
    let copied = 0
    for (const id of new Set(to)) {
      const activity = await seenActivity(ctx as Ctx, id)
      if (id === activity_id) throw invalid('to', 'An audience isn’t copied to its own activity')
      if (activity.client_id !== source.client_id) throw invalid('to', `“${activity.name}” belongs to another client`)
      const patch = await saveTarget(ctx as Ctx, activity, { sent: audience, reason: `Copied from “${source.name}”` })
      if (Object.keys(patch).length) copied++
    }
    const facts = { words: ['audience', 'audiences'], rest: ` to ${counted(copied, 'activity', 'activities')}` } as const
    return { data: { copied }, message: copied ? describeEffect(ctx, 'target.copy', facts) : unchangedOf('target.copy') }
  },

  'target.versions': async (ctx) => {
    await seenActivity(ctx as Ctx, ctx.input.id)
    const target = await targetOf(ctx as Ctx, ctx.input.id)
    const data = target ? await versionsOf(ctx.db, target) : []
    return { data, count: data.length, page: 1 }
  },

  'target.completes': async (ctx) => {
    await seenActivity(ctx as Ctx, ctx.input.id)
    const [target, completes, areas] = await Promise.all([
      targetOf(ctx as Ctx, ctx.input.id),
      completesOf(readingOf(ctx), ctx.input.id),
      completesByArea(readingOf(ctx), ctx.input.id),
    ])
    const targeted = new Set(valuesOf(target?.targeted_locations ?? '').map(Number))
    const others = targeted.size && target?.location_based === 'no' ? [...areas.keys()].filter((code) => !targeted.has(code)) : []
    return {
      data: {
        completes: completes.total,
        outside: completes.outside(target ?? EMPTY),
        groups: completes.groups,
        areas: [...areas].map(([id, number]) => ({ id, completes: number })),
        outside_areas: inAreas(areas, others.map(String)),
      },
    }
  },
}
