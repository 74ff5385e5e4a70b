import { sql } from 'kysely'
import type { teamChoiceCalls } from '../../contract/teamChoice.ts'
import type { Ctx } from '../core/context.ts'
import { invalid, notFound } from '../core/errors.ts'
import type { HandlersOf } from '../core/handler.ts'
import { byText } from '../db/foldedText.ts'

import { fullName } from '../domain/user/records.ts'

/** The most projects and other clients' users a form offers; a client has far fewer. */
const MOST = 5000

/** The client of a form, and its team if one is named; throws 404. */
async function clientAndTeam({ db, input }: Ctx<{ client_id?: number | undefined; team_id?: number | undefined }>) {
  const team =
    input.team_id === undefined
      ? null
      : await db
          .selectFrom('teams')
          .select(['id', 'name', 'client_id'])
          .where('id', '=', input.team_id)
          .where('deleted_at', 'is', null)
          .executeTakeFirst()
  if (team === undefined) throw notFound('This team')
  const id = team?.client_id ?? input.client_id
  if (id === undefined) throw invalid('client_id', 'client_id or team_id is required')
  const client = await db
    .selectFrom('clients')
    .select(['id', 'name'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!client) throw notFound('This client')
  return { client, team: team && { id: team.id, name: team.name } }
}

export const teamChoiceHandlers: HandlersOf<typeof teamChoiceCalls> = {
  async 'team.choices'(ctx) {
    const { client, team } = await clientAndTeam(ctx)
    const team_id = team?.id ?? 0
    const onClient = sql<number>`exists (select 1 from user_clients uc where uc.user_id = users.id and uc.client_id = ${client.id})`
    const { rows: users } = await sql<{
      id: number
      first_name: string
      last_name: string
      email: string
      status: 'invited' | 'active'
      on_client: number
      on_team: number
      teams_count: number
    }>`select users.id, users.first_name, users.last_name, users.email, users.status,
        case when ${onClient} then 1 else 0 end as on_client,
        case when exists (select 1 from team_users tu where tu.user_id = users.id and tu.team_id = ${team_id}) then 1 else 0 end as on_team,
        (select count(*) from team_users tu join teams t on t.id = tu.team_id
          where tu.user_id = users.id and t.client_id = ${client.id} and t.deleted_at is null) as teams_count
      from users where users.deleted_at is null and users.role = 'client' ${ctx.input.others ? sql`` : sql`and ${onClient}`}
      order by on_client desc, ${byText(ctx.db, 'users.first_name')}, ${byText(ctx.db, 'users.last_name')}, users.id limit ${MOST}`.execute(
      ctx.db,
    )
    const { rows: projects } = await sql<{
      id: number
      name: string
      generation: 'campaign' | 'project'
      stored_status: string
      parent_name: string | null
      linked: number
      teams_count: number
    }>`select projects.id, projects.name, projects.generation, projects.status as stored_status, parent.name as parent_name,
        case when exists (select 1 from team_projects tp where tp.project_id = projects.id and tp.team_id = ${team_id}) then 1 else 0 end as linked,
        (select count(*) from team_projects tp where tp.project_id = projects.id) as teams_count
      from projects left join projects parent on parent.id = projects.parent_id and parent.deleted_at is null
      where projects.deleted_at is null and projects.client_id = ${client.id}
      order by ${byText(ctx.db, 'coalesce(parent.name, projects.name)')}, projects.parent_id is not null,
        ${byText(ctx.db, 'projects.name')}, projects.id limit ${MOST}`.execute(ctx.db)
    return {
      data: {
        client,
        team,
        users: users.map(({ id, email, status, on_client, on_team, teams_count, ...name }) => ({
          id,
          name: fullName({ ...name, email }),
          email,
          status,
          on_client: Number(on_client) === 1,
          on_team: Number(on_team) === 1,
          teams_count: Number(teams_count),
        })),
        projects: projects.map(({ parent_name, linked, teams_count, ...project }) => ({
          ...project,
          parent_name: parent_name ?? '',
          linked: Number(linked) === 1,
          teams_count: Number(teams_count),
        })),
      },
    }
  },
}
