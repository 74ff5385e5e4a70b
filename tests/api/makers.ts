import type { Insertable } from 'kysely'
import { addDays, civilToday } from '../../contract/pacing.ts'
import type { Services } from '../../server/core/context.ts'
import { insertMany, transact } from '../../server/db/connect.ts'
import type {
  ClientTable,
  EntryTable,
  PartnerTable,
  ProjectTable,
  Schema,
  SurveyTable,
  TeamTable,
  UserTable,
} from '../../server/db/schema.ts'

type Some<T> = Partial<Insertable<T>>

/** Makes records straight in the database, each with what it needs and the rest as given. */
export function makers(services: Services) {
  let serial = 0
  const now = () => new Date().toISOString()
  const today = () => civilToday(services.settings.timeZone)
  const kept = () => ({ created_at: now(), updated_at: now() })
  const insert = async <T extends keyof Schema>(table: T, values: Insertable<Schema[T]>): Promise<{ id: number }> =>
    transact(services.database, (tx) =>
      tx
        .insertInto(table as 'clients')
        .values(values as Insertable<ClientTable>)
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
  const link = (table: 'user_clients' | 'team_users' | 'team_projects', values: Record<string, number>) =>
    transact(services.database, (tx) =>
      tx
        .insertInto(table)
        .values(values as never)
        .execute(),
    )

  const make = {
    today,
    async client(given: Some<ClientTable> = {}) {
      const values = { ...kept(), name: `Client ${++serial}`, deleted_at: null, ...given }
      return { ...values, ...(await insert('clients', values)) }
    },
    async user(given: Some<UserTable> & { clients?: number[] } = {}) {
      const { clients = [], ...rest } = given
      const values = {
        ...kept(),
        email: `person${++serial}@mail.test`,
        first_name: 'Pat',
        last_name: `Person ${serial}`,
        phone: '2125550100',
        company: '',
        role: 'client' as const,
        birth_date: null,
        status: 'active' as const,
        password_hash: null,
        password_expires_at: null,
        invitation_hash: null,
        invitation_expires_at: null,
        reset_hash: null,
        reset_expires_at: null,
        deleted_at: null,
        ...rest,
      }
      const { id } = await insert('users', values)
      for (const client_id of clients) await link('user_clients', { user_id: id, client_id })
      return { ...values, id }
    },
    async team(given: Some<TeamTable> & { client_id: number; users?: number[]; projects?: number[] }) {
      const { users = [], projects = [], ...rest } = given
      const values = { ...kept(), name: `Team ${++serial}`, deleted_at: null, ...rest }
      const { id } = await insert('teams', values)
      for (const user_id of users) await link('team_users', { team_id: id, user_id })
      for (const project_id of projects) await link('team_projects', { team_id: id, project_id })
      return { ...values, id }
    },
    async partner(given: Some<PartnerTable> = {}) {
      const values = {
        ...kept(),
        name: `Partner ${++serial}`,
        email: `partner${serial}@mail.test`,
        phone: '',
        deleted_at: null,
        ...given,
      }
      return { ...values, ...(await insert('partners', values)) }
    },
    /** A project in the field from last week to next week, 100 ordered, unless told otherwise. */
    async project(given: Some<ProjectTable> & { client_id: number }) {
      const values = {
        ...kept(),
        generation: 'project' as const,
        parent_id: null,
        name: `Project ${++serial}`,
        description: '',
        requirements: '',
        status: 'active' as const,
        campaign_type: 'Survey' as const,
        ordered: 100,
        cost_cents: 100_000,
        quote_valid_until: null,
        start_dt: addDays(today(), -7),
        end_dt: addDays(today(), 7),
        survey_url: 'https://survey.test/1',
        provider_id: 1,
        requested_by: null,
        went_live_at: null,
        deleted_at: null,
        ...given,
      }
      return { ...values, ...(await insert('projects', values)) }
    },
    async survey(given: Some<SurveyTable> & { project_id: number }) {
      const values = {
        ...kept(),
        activity_id: null,
        name: `Survey ${++serial}`,
        survey_link: '',
        survey_vendor: '',
        questions_count: 0,
        deleted_at: null,
        ...given,
      }
      return { ...values, ...(await insert('surveys', values)) }
    },
    async entry(given: Some<EntryTable> & { project_id: number }) {
      const email = given.email ?? `winner${++serial}@mail.test`
      const values = {
        ...kept(),
        survey_id: null,
        reward_id: null,
        email,
        email_key: email.trim().toLowerCase(),
        ip: `198.51.100.${serial % 250}`,
        amount_cents: 1000,
        provider_id: 1,
        status: 'pending' as const,
        reason: '',
        claimed_at: null,
        sent_at: null,
        ...given,
      }
      return { ...values, ...(await insert('entries', values)) }
    },
    /** Thousands of rewards at once, each with all that a reward needs. */
    async entries(given: readonly (Some<EntryTable> & { project_id: number; email: string })[]) {
      const rows = given.map((row) => ({
        ...kept(),
        survey_id: null,
        reward_id: null,
        email_key: row.email.trim().toLowerCase(),
        ip: '',
        amount_cents: 1000,
        provider_id: 1,
        status: 'pending' as const,
        reason: '',
        claimed_at: null,
        sent_at: null,
        ...row,
      }))
      await transact(services.database, (tx) => insertMany(tx, 'entries', rows))
    },
    async assign(project_id: number, partner_id: number, round = 1) {
      await transact(services.database, (tx) =>
        tx
          .insertInto('project_partners')
          .values({ project_id, partner_id, round, assigned_at: now(), mailed_at: null })
          .execute(),
      )
    },
  }
  return make
}
