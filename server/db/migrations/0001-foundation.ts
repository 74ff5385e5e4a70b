import { type Kysely, sql } from 'kysely'
import type { Engine } from '../connect.ts'

type Columns = Record<string, string>
const kept: Columns = { id: 'id', created_at: 'text', updated_at: 'text', lock_version: 'int=1' }

/** A column in a few letters: `int`, `text`, `real`, `?` for nullable, `=x` for a default, `>table` for a reference. */
const TABLES: Record<string, { columns: Columns; primary?: string[]; unique?: string[][] }> = {
  organizations: { columns: { ...kept, name: 'text', product: 'text', support_mail: 'text', settings: "text='{}'" } },
  users: {
    columns: {
      ...kept, email: 'text', first_name: 'text', last_name: 'text', phone: "text=''", company: "text=''", role: 'text', birth_date: 'text?', status: 'text', password_hash: 'text?',
      must_change_password: 'int=0', password_expires_at: 'text?', invitation_hash: 'text?', invitation_expires_at: 'text?', reset_hash: 'text?', reset_expires_at: 'text?',
      preferences: "text='{}'", deleted_at: 'text?',
    },
  },
  sessions: { columns: { id: 'id', user_id: 'int>users', client: 'text', token_hash: 'text', admin_id: 'int?>users', reason: 'text?', user_agent: "text=''", created_at: 'text', last_seen_at: 'text', expires_at: 'text' }, unique: [['token_hash']] },
  api_keys: { columns: { id: 'id', name: 'text', key_hash: 'text', created_by: 'int>users', created_at: 'text', last_used_at: 'text?', revoked_at: 'text?' }, unique: [['key_hash']] },
  clients: { columns: { ...kept, name: 'text', deleted_at: 'text?' } },
  user_clients: { columns: { user_id: 'int>users', client_id: 'int>clients' }, primary: ['user_id', 'client_id'] },
  teams: { columns: { ...kept, client_id: 'int>clients', name: 'text', deleted_at: 'text?' } },
  team_users: { columns: { team_id: 'int>teams', user_id: 'int>users' }, primary: ['team_id', 'user_id'] },
  partners: { columns: { ...kept, name: 'text', email: "text=''", phone: "text=''", deleted_at: 'text?' } },
  projects: {
    columns: {
      ...kept, generation: 'text', parent_id: 'int?>projects', client_id: 'int>clients', name: 'text', description: "text=''", requirements: "text=''", status: 'text', campaign_type: "text='Survey'",
      ordered: 'int=0', delivered: 'int=0', cost_cents: 'int?', quote_round: 'int=1', quote_valid_until: 'text?', start_dt: 'text?', end_dt: 'text?', survey_url: "text=''", provider_id: 'int?',
      requested_by: 'int?>users', went_live_at: 'text?', deleted_at: 'text?',
    },
  },
  team_projects: { columns: { team_id: 'int>teams', project_id: 'int>projects' }, primary: ['team_id', 'project_id'] },
  activities: {
    columns: {
      ...kept, project_id: 'int>projects', name: 'text', about: "text=''", activity_type: 'text', action_type: "text='nothing'", social_type: "text=''", social_text: "text=''", social_link: "text=''", url: "text=''",
      start_dt: 'text?', end_dt: 'text?', deleted_at: 'text?',
    },
  },
  targets: {
    columns: {
      id: 'id', activity_id: 'int>activities', version: 'int=1', location_based: "text='no'", targeted_locations: "text=''", age: "text=''", gender: "text=''", hhi: "text=''", ethnicity: "text=''",
      marital_status: "text=''", children: "text=''", updated_at: 'text',
    },
    unique: [['activity_id']],
  },
  surveys: { columns: { ...kept, project_id: 'int>projects', activity_id: 'int?>activities', name: 'text', survey_link: "text=''", survey_vendor: "text=''", questions_count: 'int=0', deleted_at: 'text?' } },
  questions: { columns: { ...kept, survey_id: 'int>surveys', name: 'text', position: 'int', question_type: "text='survey'", options: "text='[]'" } },
  files: {
    columns: {
      ...kept, project_id: 'int?>projects', activity_id: 'int?>activities', kind: 'text', asset_type: "text=''", original_name: 'text', storage_key: 'text', mime: 'text', size: 'int', description: "text=''", uploaded_by: 'int?>users',
    },
  },
  notes: { columns: { ...kept, project_id: 'int>projects', note: 'text', author_id: 'int>users' } },
  history: {
    columns: {
      id: 'id', subject: 'text', subject_id: 'int', project_id: 'int?', action: 'text', origin: 'text', actor_id: 'int?', admin_id: 'int?', partner_id: 'int?', before: "text='{}'", after: "text='{}'", reason: "text=''", at: 'text',
    },
  },
  project_partners: { columns: { project_id: 'int>projects', partner_id: 'int>partners', round: 'int=1', assigned_at: 'text', mailed_at: 'text?' }, primary: ['project_id', 'partner_id', 'round'] },
  proffers: {
    columns: {
      id: 'id', project_id: 'int>projects', partner_id: 'int>partners', round: 'int', fill_requirements: 'text', reason: "text=''", feasible_completes: 'int?', cpi_cents: 'int?', incidence: 'int?', loi_minutes: 'int?',
      field_days: 'int?', valid_until: 'text?', created_at: 'text',
    },
    unique: [['project_id', 'partner_id', 'round']],
  },
  rewards: { columns: { ...kept, project_id: 'int>projects', name: 'text', amount_cents: 'int', provider_id: 'int', provider_code: "text=''", description: "text=''", reward_type: "text='gift_card'", deleted_at: 'text?' } },
  entries: {
    columns: {
      ...kept, project_id: 'int>projects', survey_id: 'int?', reward_id: 'int?>rewards', email: 'text', email_key: 'text', ip: "text=''", amount_cents: 'int', provider_id: 'int', status: 'text', reason: "text=''",
      second_chances: 'int=0', claimed_at: 'text?', payout_job: 'int?', sent_at: 'text?',
    },
  },
  payouts: { columns: { entry_id: 'int', provider_id: 'int', amount_cents: 'int', email: 'text', reference: 'text', at: 'text' }, primary: ['entry_id'] },
  respondents: {
    columns: {
      survey_id: 'int', respondent_id: 'text', project_id: 'int', outcome: 'text', at: 'text', cell: 'int', marital: 'int', children: 'int', latitude: 'real?', longitude: 'real?', dma: 'int?', dwell: 'real?', notice: 'int?',
      answers: "text=''", email_hash: "text=''", ip: "text=''", fraud: 'int=0',
    },
    primary: ['survey_id', 'respondent_id'],
  },
  day_cells: { columns: { survey_id: 'int', day: 'text', cell: 'int', project_id: 'int', completes: 'int=0', terminates: 'int=0', overquota: 'int=0', partials: 'int=0' }, primary: ['survey_id', 'cell', 'day'] },
  demo_cells: {
    columns: {
      survey_id: 'int', cell: 'int', project_id: 'int', completes: 'int=0', terminates: 'int=0', overquota: 'int=0', partials: 'int=0',
      m0: 'int=0', m1: 'int=0', m2: 'int=0', m3: 'int=0', m4: 'int=0', c0: 'int=0', c1: 'int=0', c2: 'int=0', c3: 'int=0', c4: 'int=0',
    },
    primary: ['survey_id', 'cell'],
  },
  marginals: { columns: { survey_id: 'int', dimension: 'text', value: 'int', project_id: 'int', completes: 'int=0' }, primary: ['survey_id', 'dimension', 'value'] },
  geo_cells: { columns: { survey_id: 'int', cell: 'int', lat: 'int', lon: 'int', project_id: 'int', completes: 'int=0' }, primary: ['survey_id', 'cell', 'lat', 'lon'] },
  geo_squares: { columns: { survey_id: 'int', lat: 'int', lon: 'int', project_id: 'int', completes: 'int=0', lats: 'int=0', lons: 'int=0' }, primary: ['survey_id', 'lat', 'lon'] },
  answer_cells: { columns: { survey_id: 'int', question_id: 'int', value: 'text', age: 'int', gender: 'int', project_id: 'int', completes: 'int=0' }, primary: ['survey_id', 'question_id', 'value', 'age', 'gender'] },
  events: { columns: { id: 'id', noun: 'text', subject_id: 'int', project_id: 'int?', client_id: 'int?', audience: 'text', user_id: 'int?', kind: "text='put'", session_id: 'int?', at: 'text' } },
  mails: {
    columns: { id: 'id', to_address: 'text', subject: 'text', body: 'text', html: "text=''", status: 'text', error: "text=''", attempts: 'int=0', about: "text=''", not_before: 'text', created_at: 'text', sent_at: 'text?' },
  },
  jobs: {
    columns: {
      id: 'id', kind: 'text', title: 'text', input: "text='{}'", status: 'text', done: 'int=0', total: 'int=0', result: "text='{}'", error: "text=''", created_by: 'int?', created_at: 'text', started_at: 'text?', not_before: 'text', worker: 'text?', attempts: 'int=0',
      beat_at: 'text?', ended_at: 'text?',
    },
  },
  snapshots: { columns: { id: 'text', layout: 'text', created_by: 'int>users', created_at: 'text' }, primary: ['id'] },
  dmas: { columns: { code: 'int', name: 'text', rank: 'int?' }, primary: ['code'] },
  places: { columns: { id: 'id', name: 'text', address: "text=''", latitude: 'real?', longitude: 'real?', deleted_at: 'text?' } },
  location_groups: { columns: { ...kept, client_id: 'int>clients', name: 'text', deleted_at: 'text?' } },
  location_group_places: { columns: { group_id: 'int>location_groups', place_id: 'int>places' }, primary: ['group_id', 'place_id'] },
  activity_location_groups: { columns: { activity_id: 'int>activities', group_id: 'int>location_groups' }, primary: ['activity_id', 'group_id'] },
  meta: { columns: { key: 'text', value: 'text' }, primary: ['key'] },
}

const INDEXES: [table: string, columns: string, where?: string][] = [
  ['sessions', 'user_id'], ['user_clients', 'client_id'], ['teams', 'client_id'], ['team_users', 'user_id'], ['team_projects', 'project_id'],
  ['projects', 'generation, parent_id, status'], ['projects', 'parent_id'], ['projects', 'client_id'], ['projects', 'requested_by'], ['projects', 'generation, name, id'], ['projects', 'generation, end_dt, id'],
  ['activities', 'project_id'], ['surveys', 'project_id'], ['surveys', 'activity_id'], ['questions', 'survey_id, position'], ['files', 'project_id'], ['notes', 'project_id, id'],
  ['history', 'project_id, id'], ['history', 'subject, subject_id, id'], ['project_partners', 'partner_id'], ['proffers', 'partner_id'], ['rewards', 'project_id'],
  ['entries', 'project_id, status, id'], ['entries', 'project_id, id'], ['entries', 'project_id, email_key'], ['entries', 'project_id, ip'], ['entries', 'status, claimed_at'], ['entries', 'payout_job, status, id'],
  ['mails', 'status, not_before'], ['jobs', 'status'], ['jobs', 'created_by, id'], ['users', 'role, last_name'], ['location_groups', 'client_id'],
]

/** The first tables (server/db/schema.ts says what each column means). */
export function foundation(engine: Engine) {
  const id = engine === 'sqlite' ? 'integer primary key autoincrement' : 'integer primary key generated by default as identity'
  const types: Record<string, string> = { int: engine === 'sqlite' ? 'integer' : 'bigint', text: 'text', real: engine === 'sqlite' ? 'real' : 'double precision' }
  const column = (name: string, spec: string): string => {
    if (spec === 'id') return `"${name}" ${id}`
    const [, kind, nullable, initial, table] = /^(int|text|real)(\?)?(?:=([^>]+))?(?:>(\w+))?$/.exec(spec)!
    return `"${name}" ${types[kind!]}${nullable ? '' : ' not null'}${initial ? ` default ${initial}` : ''}${table ? ` references "${table}"` : ''}`
  }
  return {
    async up(db: Kysely<unknown>) {
      const create = async (name: string, columns: Columns, primary?: string[], unique: string[][] = []) => {
        const keys = (list: string[]) => list.map((key) => `"${key}"`).join(', ')
        const parts = [...Object.entries(columns).map(([key, spec]) => column(key, spec)), ...(primary ? [`primary key (${keys(primary)})`] : []), ...unique.map((list) => `unique (${keys(list)})`)]
        await sql.raw(`create table "${name}" (${parts.join(', ')})${engine === 'sqlite' && primary ? ' without rowid' : ''}`).execute(db)
      }
      for (const [name, table] of Object.entries(TABLES)) await create(name, table.columns, table.primary, table.unique)
      for (const [at, [table, columns]] of INDEXES.entries()) await sql.raw(`create index "ix_${table}_${at}" on "${table}" (${columns})`).execute(db)
      await sql.raw('create unique index "ux_users_email" on "users" (email) where deleted_at is null').execute(db)
    },
  }
}
