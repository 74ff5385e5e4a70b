import { z } from 'zod'
import { call, Flag, Id } from './call.ts'
import { Generation, StoredStatus, UserStatus } from './enums.ts'
import { Named } from './listInput.ts'

/** A client user in forms, with their teams, which shows who can still be added. */
const UserChoice = Named.extend({
  email: z.string(),
  status: UserStatus,
  on_client: z.boolean(),
  on_team: z.boolean(),
  /** Teams of this client. */
  teams_count: z.number(),
})
/** A project in forms, with how many teams open it. Without any, all of the client's users see it. */
const ProjectChoice = Named.extend({
  generation: Generation,
  stored_status: StoredStatus,
  parent_name: z.string(),
  linked: z.boolean(),
  teams_count: z.number(),
})

export const teamChoiceCalls = {
  'team.choices': call({
    method: 'GET',
    path: '/v3/portal/teams/choices',
    about: 'Lists users and projects that a client’s team can add; with others=1 also the users of other clients.',
    input: z.object({ client_id: Id.optional(), team_id: Id.optional(), others: Flag.default(false) }),
    output: z.object({
      data: z.object({ client: Named, team: Named.nullable(), users: z.array(UserChoice), projects: z.array(ProjectChoice) }),
    }),
  }),
} as const
