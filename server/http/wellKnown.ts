import type { FastifyInstance } from 'fastify'
import { PASSWORD_FORM } from '../../contract/pages.ts'
import type { Services } from '../core/context.ts'
import { notFound } from '../core/errors.ts'
import { organizationOf } from '../domain/organization.ts'
import { OWN } from './addresses.ts'

const DAY_MS = 86_400_000
/** RFC 9116 asks for less than a year. */
const VALID_DAYS = 180

/**
 * Serves `/.well-known/security.txt` (RFC 9116) and, for password managers, `change-password`.
 * Assistants learn that they sign in at /mcp by token (RFC 9728): there is no authorization server.
 */
export function mountWellKnown(app: FastifyInstance, services: Services): void {
  const { publicUrl } = services.settings
  app.get('/.well-known/security.txt', async (_request, reply) => {
    const { support_mail } = await organizationOf(services.database.db)
    const expires = new Date(services.now().getTime() + VALID_DAYS * DAY_MS)
    const lines = [
      `Contact: mailto:${encodeURI(support_mail)}`,
      `Expires: ${expires.toISOString().slice(0, 10)}T00:00:00Z`,
      'Preferred-Languages: en',
      // The RFC allows no other scheme.
      ...(publicUrl.startsWith('https:') ? [`Canonical: ${publicUrl}/.well-known/security.txt`] : []),
    ]
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
  })
  const metadata = '/.well-known/oauth-protected-resource'
  for (const path of [metadata, `${metadata}${OWN.assistants}`])
    app.get(path, async (_request, reply) => {
      if (services.settings.mcp === 'off') throw notFound('A server for assistants (MCP=off)')
      return reply.send({
        resource: `${publicUrl}${OWN.assistants}`,
        resource_name: 'Fieldwork',
        bearer_methods_supported: ['header'],
        resource_documentation: `${publicUrl}${OWN.guide}`,
      })
    })
  app.get('/.well-known/change-password', async (_request, reply) => reply.redirect(PASSWORD_FORM, 303))
}
