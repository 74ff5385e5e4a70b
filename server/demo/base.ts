import { insertMany, type Tx } from '../db/connect.ts'
import { ORGANIZATION } from '../domain/organization.ts'
import type { Letter } from '../mail/letter.ts'
import { invitation, links } from '../mail/letters.ts'
import { withoutSecrets } from '../mail/secrets.ts'
import type { Market } from './market.ts'

/** Where a demo mail's links would lead; opened once, they ask for a new one. */
export const HERE = 'https://fieldwork.example'

/** Clients, users, teams, partners and places. */
export async function writeBase(tx: Tx, { people, places }: Market): Promise<void> {
  const at = people.users[0]!.created_at
  await insertMany(tx, 'organizations', [
    { id: 1, ...ORGANIZATION, settings: '{}', created_at: at, updated_at: at, lock_version: 1 },
  ])
  await insertMany(tx, 'clients', people.clients)
  await insertMany(tx, 'users', people.users)
  await insertMany(tx, 'user_clients', people.userClients)
  await insertMany(tx, 'teams', people.teams)
  await insertMany(tx, 'team_users', people.teamUsers)
  await insertMany(tx, 'partners', people.partners)
  await insertMany(tx, 'location_groups', places.groups)
  await insertMany(tx, 'places', places.places)
  await insertMany(tx, 'location_group_places', places.members)
  const names = new Map(people.clients.map((client) => [client.id!, client.name]))
  const clientOf = new Map(people.userClients.map((link) => [link.user_id, names.get(link.client_id)]))
  const mails = people.users
    .filter((user) => user.status === 'invited')
    .map((user) => {
      const letter = invitation(ORGANIZATION, {
        link: links.registration(HERE, 'x'.repeat(64)),
        by: 'Avery Lindqvist',
        client: clientOf.get(user.id!),
        days: 14,
      })
      return mail(user.email, letter, `invitation user:${user.id}`, user.created_at)
    })
  await insertMany(
    tx,
    'mails',
    mails.sort((a, b) => (a.created_at < b.created_at ? -1 : 1)),
  )
}

/** A mail that has left for the outbox, without what opens a door. */
export const mail = (to: string, letter: Letter, about: string, at: string) => ({
  to_address: to,
  subject: letter.subject,
  body: withoutSecrets(letter.text, letter.secrets),
  html: withoutSecrets(letter.html, letter.secrets),
  status: 'outbox',
  error: '',
  attempts: 0,
  about,
  not_before: at,
  created_at: at,
  sent_at: null,
  secrets: '[]',
  redacted_at: letter.secrets.length ? at : null,
})
