import type { Insertable } from 'kysely'
import { addDays } from '../../contract/pacing.ts'
import type { ClientTable, PartnerTable, TeamTable, TeamUserTable, UserClientTable, UserTable } from '../db/schema.ts'
import type { Calendar } from './calendar.ts'
import { type Amounts, idsFrom } from './demoNoun.ts'
import { industryOf } from './families.ts'
import { type Random, randomOf, shareOut } from './random.ts'
import { rowOf } from './rowDefaults.ts'
import { BRAND_WORDS, FIRST_NAMES, LAST_NAMES, PARTNER_NOTES, PARTNERS, TEAM_WORDS } from './studies.ts'

/** The people of the marketplace. */
export interface People {
  clients: Insertable<ClientTable>[]
  users: Insertable<UserTable>[]
  userById: ReadonlyMap<number, Insertable<UserTable>>
  userClients: Insertable<UserClientTable>[]
  teams: Insertable<TeamTable>[]
  /** When each team was created. */
  teamSince: ReadonlyMap<number, string>
  teamUsers: Insertable<TeamUserTable>[]
  partners: Insertable<PartnerTable>[]
  admins: number[]
  /** Active client users and teams, by index of the client. */
  usersOf: number[][]
  teamsOf: number[][]
}

/** The demo logins, which exist only in demo databases. */
export const DEMO_LOGINS = { admin: 'admin@fieldwork.test', client: 'client@fieldwork.test', password: 'Fieldwork-1!' } as const

/** Clients, users, teams and partners; the first admin and the first client user are the demo logins. */
export function peopleOf(
  seed: string,
  amounts: Amounts,
  calendar: Calendar,
  passwords: { admin: string; client: string },
): People {
  const random = randomOf(seed, 'people')
  const began = addDays(calendar.today, -760)
  const on = (day: string) => calendar.office(random, day)
  const ids = { client: idsFrom(amounts.first.client), user: idsFrom(amounts.first.user) }
  const clients = clientNames(random, amounts.client).map((name) => ({
    ...rowOf('clients', on(addDays(began, random.int(0, 200))), { name }),
    id: ids.client(),
  }))
  const perClient = shareOut(
    amounts.user - amounts.admins,
    clients.map((_, at) => (at === 0 ? 2.5 : 1 + 3 / (at + 1))),
  )
  const taken = new Set<string>()
  const users: Insertable<UserTable>[] = []
  const userClients: Insertable<UserClientTable>[] = []
  const usersOf: number[][] = clients.map(() => [])
  const add = (client: number | null, email: string | null): number => {
    const id = ids.user()
    const [first, last] =
      email === DEMO_LOGINS.admin
        ? ['Avery', 'Lindqvist']
        : email === DEMO_LOGINS.client
          ? ['Jordan', 'Ellery']
          : [random.pick(FIRST_NAMES), random.pick(LAST_NAMES)]
    const drawn = random.chance(client === null ? 0.05 : 0.08)
    // Each client has at least one active user who can decide on its quotes.
    const invited = email === null && drawn && (client === null || usersOf[client]!.length > 0)
    const company = client === null ? null : clients[client]!
    const row = {
      id,
      email: email ?? freeMail(taken, first!, last!, company ? `${slug(company.name)}.example` : 'fieldwork.test'),
      first_name: first!,
      last_name: last!,
      phone: phoneOf(random),
      company: company?.name ?? 'Fieldwork',
      role: company ? ('client' as const) : ('admin' as const),
      birth_date: random.chance(0.7) ? addDays(calendar.today, -365 * random.int(23, 63) - random.int(0, 364)) : null,
      status: invited ? ('invited' as const) : ('active' as const),
      // All share one hash, because hashing is slow on purpose.
      password_hash: invited ? null : company ? passwords.client : passwords.admin,
    }
    const made = on(invited ? addDays(calendar.today, -random.int(0, 6)) : addDays(began, random.int(200, 700)))
    users.push(rowOf('users', made, row))
    if (client !== null && !invited) usersOf[client]!.push(id)
    if (client !== null) userClients.push({ user_id: id, client_id: clients[client]!.id })
    return id
  }
  const admins = Array.from({ length: amounts.admins }, (_, at) => add(null, at === 0 ? DEMO_LOGINS.admin : null))
  for (const [client, count] of perClient.entries())
    for (let at = 0; at < count; at++) add(client, client === 0 && at === 0 ? DEMO_LOGINS.client : null)
  const since = new Map(users.map((user) => [user.id as number, user.created_at]))
  const links = { by: admins[0] ?? null, since: (id: number) => since.get(id)! }
  const { teams, teamUsers, teamsOf } = teamsFor(random, amounts, clients, usersOf, links, () => on(addDays(began, 210)))
  const active = new Set(users.flatMap((user) => (user.status === 'active' ? (user.id as number) : [])))
  return {
    clients,
    users,
    userById: new Map(users.map((user) => [user.id!, user])),
    userClients,
    teams,
    teamSince: new Map(teams.map((team) => [team.id as number, team.created_at])),
    teamUsers,
    partners: partnersFor(random, amounts, () => on(addDays(began, random.int(0, 300)))),
    admins: admins.filter((id) => active.has(id)),
    usersOf,
    teamsOf,
  }
}

const phoneOf = (random: Random): string => `${random.int(201, 989)}555${String(random.int(100, 9999)).padStart(4, '0')}`

/** The later of two times. */
export const later = (one: string, other: string): string => (one > other ? one : other)

function teamsFor(
  random: Random,
  amounts: Amounts,
  clients: readonly { id: number }[],
  usersOf: readonly number[][],
  /** Who created the links, and when each user's account was created. */
  links: { by: number | null; since: (user: number) => string },
  made: () => string,
) {
  const ids = idsFrom(amounts.first.team)
  const teams: Insertable<TeamTable>[] = []
  const teamUsers: Insertable<TeamUserTable>[] = []
  const teamsOf: number[][] = usersOf.map(() => [])
  const counts = shareOut(
    Math.max(0, amounts.team - 2),
    usersOf.map((users, at) => (at === 0 || users.length === 0 ? 0 : 1 + 1 / (at + 1))),
  )
  counts[0] = 2
  for (const [client, count] of counts.entries()) {
    const words = random.some(TEAM_WORDS, count)
    for (const [nth, word] of words.entries()) {
      const id = ids()
      const at = made()
      teams.push(rowOf('teams', at, { id, client_id: clients[client]!.id, name: word }))
      teamsOf[client]!.push(id)
      const users = usersOf[client]!
      // The demo client user is on its client's first team, but not on the second.
      const [first, ...others] = users
      const members =
        client !== 0
          ? random.some(users, random.int(1, 4))
          : nth === 0 && first !== undefined
            ? [first, ...random.some(others, 2)]
            : random.some(others, 2)
      for (const user_id of members)
        teamUsers.push({ team_id: id, user_id, added_by: links.by, added_at: later(at, links.since(user_id)) })
    }
  }
  return { teams, teamUsers, teamsOf }
}

function partnersFor(random: Random, amounts: Amounts, made: () => string): Insertable<PartnerTable>[] {
  const ids = idsFrom(amounts.first.partner)
  return Array.from({ length: amounts.partner }, (_, at) => {
    const name =
      PARTNERS[at] ?? `${BRAND_WORDS[(at * 3) % BRAND_WORDS.length]} ${['Panel', 'Sample', 'Research', 'Opinions'][at % 4]}`
    const contact = `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`
    const notes = PARTNER_NOTES[at % PARTNER_NOTES.length]!
    const row = { id: ids(), name, contact, email: `projects@${slug(name)}.example`, phone: phoneOf(random), notes }
    return rowOf('partners', made(), row)
  })
}

function clientNames(random: Random, count: number): string[] {
  const taken = new Set<string>()
  return Array.from({ length: count }, (_, at) => {
    const industry = industryOf(at)
    const named = industry.brands[Math.floor(at / 18)]
    let name = named ? `${named} ${industry.endings[at % industry.endings.length]}` : ''
    while (!name || taken.has(name))
      name = `${random.pick(BRAND_WORDS)}${random.chance(0.5) ? ` & ${random.pick(BRAND_WORDS)}` : ` ${random.pick(LAST_NAMES)}`} ${random.pick(industry.endings)}`
    taken.add(name)
    return name
  })
}

/** A name in the form of an email's local part. */
export const slug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

function freeMail(taken: Set<string>, first: string, last: string, domain: string): string {
  const base = `${slug(first)}.${slug(last)}`
  for (let nth = 1; ; nth++) {
    const mail = `${base}${nth > 1 ? nth : ''}@${domain}`
    if (taken.has(mail)) continue
    taken.add(mail)
    return mail
  }
}
