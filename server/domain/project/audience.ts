import type { OlderAudience } from '../../../contract/audience.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { olderNames } from '../../../contract/olderFields.ts'
import { targetFields } from '../../../contract/targetFields.ts'
import { difference } from '../../core/change.ts'
import type { Ctx } from '../../core/context.ts'
import { invalid } from '../../core/errors.ts'
import { onlyColumns } from '../../core/onlyColumns.ts'
import { EMPTY, type Lists, VALUES } from '../target/targetLists.ts'
import type { ProjectRecord } from './storedProject.ts'

/** Throws a 422 that names the field for a code without a market area. */
export async function assertMarkets(ctx: Ctx, codes: readonly string[], field = 'targeted_locations'): Promise<void> {
  if (!codes.length) return
  const numbers = codes.map(Number).map((code) => (Number.isInteger(code) ? code : -1))
  const known = await ctx.db.selectFrom('dmas').select('code').where('code', 'in', numbers).execute()
  const missing = codes.filter((code) => !known.some((dma) => String(dma.code) === code))
  if (missing.length)
    throw invalid(
      field,
      `${field} has a value that is not a market area: ${missing.slice(0, 3).join(', ')}. Accepted: DMA codes, such as 501 (New York)`,
    )
}

/** A target's columns, each with its names in the older spelling. */
const NAMES = VALUES.map((column) => [column, olderNames(column, targetFields[column])] as const)

const inOrder = (list: string) => list.split(',').sort().join(',')

/**
 * Writes an older edit's audience to the project's first target and raises its version; true if anything changed.
 * A project without an activity or target gets both.
 */
export async function writeAudience(ctx: Ctx, project: ProjectRecord, input: OlderAudience): Promise<boolean> {
  const target = await ctx.tx
    .selectFrom('targets')
    .innerJoin('activities', 'activities.id', 'activity_id')
    .selectAll('targets')
    .where('project_id', '=', project.id)
    .where('activities.deleted_at', 'is', null)
    .orderBy('activities.id')
    .limit(1)
    .executeTakeFirst()
  const { before, after } = difference(target ?? EMPTY, wanted(target ?? EMPTY, input))
  if (!Object.keys(after).length) return false
  const next = { ...(target ?? EMPTY), ...(after as Partial<Lists>) }
  if ('age' in after && !next.age) throw invalid('age_range', MESSAGES.oneAge)
  const moved = 'targeted_locations' in after || 'location_based' in after
  if (moved && next.location_based === 'no' && !next.targeted_locations) throw invalid('targeted_location', MESSAGES.oneMarket)
  if (typeof after.targeted_locations === 'string')
    await assertMarkets(ctx, after.targeted_locations.split(',').filter(Boolean), 'targeted_location')
  const id = target ? target.id : await newTarget(ctx, project)
  await ctx.tx
    .updateTable('targets')
    .set((eb) =>
      onlyColumns('targets', {
        ...(after as Partial<Lists>),
        updated_at: ctx.now,
        version: target ? eb('version', '+', 1) : 1,
      }),
    )
    .where('id', '=', id)
    .execute()
  await ctx.record({ subject: 'target', subject_id: id, project_id: project.id, before, after })
  return true
}

/** Each column's sent value: the one that differs from the stored one; a 422 if two differ from it and each other. */
function wanted(stored: Lists, input: OlderAudience): Partial<Lists> {
  const patch: Record<string, string> = {}
  for (const [column, names] of NAMES) {
    const sent = names.flatMap((name) => {
      const value = input[name as keyof OlderAudience]
      return value === undefined ? [] : [{ name, list: Array.isArray(value) ? value.join(',') : value }]
    })
    const anew = sent.filter(({ list }) => inOrder(list) !== inOrder(stored[column]))
    const other = anew.find(({ list }) => inOrder(list) !== inOrder(anew[0]!.list))
    if (other) throw invalid(other.name, `${other.name} and ${anew[0]!.name} are one field and must match`)
    if (anew[0]) patch[column] = anew[0].list
  }
  return patch as Partial<Lists>
}

async function newTarget(ctx: Ctx, project: ProjectRecord): Promise<number> {
  const first = await ctx.tx
    .selectFrom('activities')
    .select('id')
    .where('project_id', '=', project.id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  const activity =
    first ??
    (await ctx.tx
      .insertInto('activities')
      .values({
        project_id: project.id,
        name: project.name,
        about: project.description,
        activity_type: project.campaign_type === 'Survey' ? 'survey' : 'photo',
        action_type: project.campaign_type === 'Survey' ? 'nothing' : 'photo',
        social_type: '',
        social_text: '',
        social_link: '',
        url: project.survey_url,
        start_dt: project.start_dt,
        end_dt: project.end_dt,
        deleted_at: null,
        created_at: ctx.now,
        updated_at: ctx.now,
      })
      .returning('id')
      .executeTakeFirstOrThrow())
  const { id } = await ctx.tx
    .insertInto('targets')
    .values(onlyColumns('targets', { activity_id: activity.id, version: 1, ...EMPTY, updated_at: ctx.now }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
