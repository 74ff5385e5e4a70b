import type { Selectable } from 'kysely'
import { change, drop } from '../../core/change.ts'
import type { Ctx } from '../../core/context.ts'
import { HttpError, invalid } from '../../core/errors.ts'
import { insertMany } from '../../db/connect.ts'
import { locked } from '../../db/locked.ts'
import type { PartnerTable, ProjectPartnerTable } from '../../db/schema.ts'
import { moveInQuotas } from './mergeQuotas.ts'

type Partner = Selectable<PartnerTable>
type Invitation = Selectable<ProjectPartnerTable>
/** How many projects an error names. */
const NAMED = 3
/** Fields that the remaining partner takes over if its own are empty. */
const FILLED = ['contact', 'email', 'phone', 'notes'] as const

const roundOf = ({ project_id, round }: { project_id: number; round: number }) => `${project_id} ${round}`

async function currentPartner(ctx: Ctx, id: number, field: string): Promise<Partner> {
  const partner = await ctx.tx
    .selectFrom('partners')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!partner) throw invalid(field, `${field} is not a partner: ${id}`)
  return partner
}

/** Locks projects with open rounds of either partner, so that no answer arrives meanwhile; returns their ids. */
async function waitingProjects(ctx: Ctx, partners: readonly number[]): Promise<number[]> {
  const rounds = ctx.tx.selectFrom('project_partners').select('project_id').where('partner_id', 'in', partners)
  const query = ctx.tx
    .selectFrom('projects')
    .select('id')
    .where('id', 'in', rounds)
    .where('status', 'in', ['requirements', 'pricing'])
    .where('deleted_at', 'is', null)
    .orderBy('id')
  return (await locked(ctx.services.database, query).execute()).map(({ id }) => id)
}

/** Throws a 409 that names the projects in which both partners are invited to the same round. */
async function refuseBoth(ctx: Ctx, conflicts: readonly { project_id: number; round: number }[]): Promise<void> {
  if (!conflicts.length) return
  const shown = conflicts.slice(0, NAMED)
  const projects = await ctx.tx
    .selectFrom('projects')
    .select(['id', 'name'])
    .where(
      'id',
      'in',
      shown.map(({ project_id }) => project_id),
    )
    .execute()
  const named = shown.map(
    ({ project_id, round }) => `“${projects.find(({ id }) => id === project_id)?.name ?? project_id}” (round ${round})`,
  )
  const more = conflicts.length > NAMED ? ` and ${conflicts.length - NAMED} more` : ''
  const one = conflicts.length === 1
  throw new HttpError(
    409,
    'both_invited',
    `Both were invited to ${named.join(', ')}${more}: revoke one of the invitations in ${one ? 'that round' : 'each round'} first.`,
    { conflicts: conflicts.map(({ project_id, round }) => ({ project_id, round })) },
  )
}

/**
 * Moves a partner's invitations, answers, messages, respondents and places in quotas to another, and deletes it softly.
 * A revoked invitation without an answer gives way to the other partner's; any other conflict is refused by name.
 */
export async function mergePartner(ctx: Ctx, id: number, into_id: number): Promise<{ invitations: number; answers: number }> {
  if (id === into_id) throw invalid('into_id', 'into_id must be another partner')
  const both = [id, into_id]
  const waiting = await waitingProjects(ctx, both)
  const gone = await currentPartner(ctx, id, 'id')
  const stays = await currentPartner(ctx, into_id, 'into_id')
  const [invitations, answers] = [
    await ctx.tx.selectFrom('project_partners').selectAll().where('partner_id', 'in', both).execute(),
    await ctx.tx
      .selectFrom('proffers')
      .select(['id', 'project_id', 'partner_id', 'round'])
      .where('partner_id', 'in', both)
      .execute(),
  ]
  const of = <Row extends { partner_id: number; project_id: number; round: number }>(rows: readonly Row[], partner: number) =>
    new Map(rows.filter((row) => row.partner_id === partner).map((row) => [roundOf(row), row]))
  const [mine_, others] = [of(invitations, id), of(invitations, into_id)]
  const [answered, answeredToo] = [of(answers, id), of(answers, into_id)]

  const moved: Invitation[] = []
  const dropped: Invitation[] = []
  const conflicts = [...answered.values()].filter((answer) => answeredToo.has(roundOf(answer)))
  for (const [round, mine] of mine_) {
    const theirs = others.get(round)
    if (!theirs) moved.push(mine)
    else if (answered.has(round) && answeredToo.has(round)) continue
    else if (mine.revoked_at && !answered.has(round)) dropped.push(mine)
    else if (theirs.revoked_at && !answeredToo.has(round)) {
      dropped.push(theirs)
      moved.push(mine)
    } else conflicts.push({ ...mine, id: 0 })
  }
  await refuseBoth(ctx, conflicts)

  // The partner is part of the key, so rows are deleted and inserted, which an undo can follow.
  for (const { project_id, partner_id, round } of [...dropped, ...moved])
    await ctx.tx
      .deleteFrom('project_partners')
      .where('project_id', '=', project_id)
      .where('partner_id', '=', partner_id)
      .where('round', '=', round)
      .execute()
  await insertMany(
    ctx.tx,
    'project_partners',
    moved.map((row) => ({ ...row, partner_id: into_id })),
  )
  if (answered.size) await ctx.tx.updateTable('proffers').set({ partner_id: into_id }).where('partner_id', '=', id).execute()
  await ctx.tx.updateTable('messages').set({ partner_id: into_id }).where('partner_id', '=', id).execute()
  await moveInQuotas(ctx, gone, stays)

  const lacking = FILLED.filter((field) => !stays[field] && gone[field])
  const fill: Partial<typeof gone> = Object.fromEntries(lacking.map((field) => [field, gone[field]]))
  await drop(ctx, 'partners', {
    subject: 'partner',
    id,
    // Links mailed to the merged partner keep working (server/core/authenticate.ts).
    line: { after: { merged_into: into_id, name: stays.name } },
    change: { noun: 'partner', audience: 'admin' },
  })
  await change(ctx, 'partners', { subject: 'partner', id: into_id, patch: fill })
  const counts = { invitations: moved.length, answers: answered.size }
  await ctx.record({ subject: 'partner', subject_id: into_id, after: { merged: gone.name, ...counts } })
  ctx.emit({ noun: 'partner', id: into_id, audience: 'admin' })
  for (const project_id of waiting) ctx.emit({ noun: 'proffer', id: into_id, project_id, audience: 'admin' })
  return counts
}
