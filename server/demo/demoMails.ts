import type { Insertable } from 'kysely'
import type { MailTable } from '../db/schema.ts'
import { withoutSecrets } from '../domain/mail/mailSecrets.ts'
import { ORGANIZATION } from '../domain/organization.ts'
import { perComplete } from '../domain/quote/projectQuote.ts'
import type { Letter } from '../mail/letter.ts'
import { costNotification, invitation, links } from '../mail/letters.ts'
import type { ProjectDraft } from './draft.ts'
import type { Market } from './market.ts'
import { rowOf } from './rowDefaults.ts'

/** The host of links in demo mails; opening one leads to a page that offers a new link. */
const HERE = 'https://fieldwork.example'

/** Invitations that weren't accepted, oldest first. */
export function invitationMails({ people }: Market): Insertable<MailTable>[] {
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
  return mails.sort((a, b) => (a.created_at < b.created_at ? -1 : 1))
}

/** The mail with the price to a project's requester, if the price awaits a decision. */
export function costMails({ people }: Market, { plan, cast, story }: ProjectDraft): Insertable<MailTable>[] {
  if (plan.status !== 'submit_approval') return []
  const requester = people.userById.get(cast.requester)!
  const letter = costNotification(ORGANIZATION, {
    first_name: requester.first_name,
    project: plan.name,
    cost_cents: story.cost_cents ?? 0,
    valid_until: story.quote_valid_until,
    completes: plan.ordered,
    per_complete_cents: perComplete(story.cost_cents, plan.ordered),
    dates: '',
    contact: { name: 'Avery Lindqvist', email: 'admin@fieldwork.test' },
    link: links.approval(HERE, plan),
  })
  return [mail(requester.email, letter, `project:${plan.id}`, story.updated_at)]
}

/** A mail in the Outbox without its secrets. */
const mail = (to: string, letter: Letter, about: string, at: string): Insertable<MailTable> =>
  rowOf('mails', at, {
    to_address: to,
    subject: letter.subject,
    body: withoutSecrets(letter.text, letter.secrets),
    html: withoutSecrets(letter.html, letter.secrets),
    about,
    redacted_at: letter.secrets.length ? at : null,
  })
