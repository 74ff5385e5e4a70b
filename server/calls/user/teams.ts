import type { z } from 'zod'
import { MESSAGES } from '../../../contract/messages.ts'
import type { userCalls } from '../../../contract/user.ts'
import { effectOf, sentenceOf, verbOf } from '../../../contract/writeEffects.ts'
import type { Ctx } from '../../core/context.ts'
import { describeEffect } from '../../core/describeEffect.ts'
import { invalid } from '../../core/errors.ts'
import { withEffect } from '../../domain/team/effect.ts'
import { fullName } from '../../domain/user/records.ts'
import { clientUsers, type HeldTeam, heldTeam, joinTeam, leaveTeam, noteLinks } from './memberships.ts'

type Input = z.output<(typeof userCalls)['user.setTeams']['input']>
const named = (teams: readonly HeldTeam[]) => teams.map(({ id, name }) => ({ id, name }))
const many = (teams: readonly HeldTeam[]) => (teams.length === 1 ? `“${teams[0]!.name}”` : `${teams.length} teams`)

/** Adds a user to some teams and removes them from others, as one change with one effect on access. */
export async function setTeams(ctx: Ctx<Input>) {
  const { user_id, join_ids, leave_ids } = ctx.input
  const ids = [...new Set([...join_ids, ...leave_ids])].sort((a, b) => a - b)
  if (!ids.length) throw invalid('join_ids', MESSAGES.chooseTeam)
  const both = join_ids.find((id) => leave_ids.includes(id))
  if (both !== undefined) throw invalid('leave_ids', `leave_ids: team ${both} is in join_ids too`)
  const [user] = await clientUsers(ctx, [user_id])
  const name = fullName(user!)
  const teams: HeldTeam[] = []
  for (const id of ids) teams.push(await heldTeam(ctx, id))
  const touched = [...new Set(teams.map((team) => team.client_id))].map((client_id) => ({ client_id, users: [user_id] }))
  const { done, effect } = await withEffect(ctx, touched, async () => {
    const [joined, left, clients]: [HeldTeam[], HeldTeam[], number[]] = [[], [], []]
    for (const team of teams) {
      if (leave_ids.includes(team.id)) {
        if (!(await leaveTeam(ctx, team, [user_id])).length) continue
        left.push(team)
        await noteLinks(ctx, team, 'users', 'before', [name])
        continue
      }
      const made = await joinTeam(ctx, team, [user_id])
      if (made.joined.length) clients.push(team.client_id)
      if (!made.added.length) continue
      joined.push(team)
      await noteLinks(ctx, team, 'users', 'after', [name])
    }
    return { joined, left, clients }
  })
  const clients = done.clients.length
    ? await ctx.tx.selectFrom('clients').select(['id', 'name']).where('id', 'in', done.clients).orderBy('id').execute()
    : []
  const about = { name, kind: 'user' }
  const [to, from] = [` to ${many(done.joined)}`, ` from ${many(done.left)}`]
  const leaves = verbOf(effectOf('user.leaveTeams'), ctx.dry ? 'before' : 'after')
  return {
    message: done.joined.length
      ? describeEffect(ctx, 'user.setTeams', { ...about, rest: `${to}${done.left.length ? ` and ${leaves}${from}` : ''}` })
      : done.left.length
        ? describeEffect(ctx, 'user.leaveTeams', { ...about, rest: from })
        : sentenceOf(effectOf('user.onTeams'), about, 'after'),
    data: { user_id, joined: named(done.joined), left: named(done.left), clients },
    effect,
  }
}
