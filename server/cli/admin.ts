import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { commonFault } from '../../contract/commonPassword.ts'
import { readEmail } from '../../contract/fieldKinds.ts'
import { PASSWORD_RULE, strongPassword } from '../../contract/messages.ts'
import { dropBeside } from '../calls/session/tokens.ts'
import { INVITATION_DAYS, newInvitation } from '../calls/user/invite.ts'
import { onlyColumns } from '../core/onlyColumns.ts'
import { restrictPermissions } from '../core/ownFolder.ts'
import { hashPassword } from '../core/passwords.ts'
import { readSettings, type Settings } from '../core/settings.ts'
import { connect, type Database, transact } from '../db/connect.ts'
import { migrate } from '../db/migrate.ts'
import { closeSecrets } from '../domain/mail/mailSecrets.ts'
import { lookAlikeFault } from '../domain/user/lookAlike.ts'
import { Refused } from '../exitMessage.ts'
import { links } from '../mail/letters.ts'
import { runCommand } from '../operatorCommand.ts'

const HELP = `Creates an administrator, such as the first one of a new installation.

  npm run admin -- mail@example.com             prints a registration link
  npm run admin -- mail@example.com --password  asks for a password (or takes it from ADMIN_PASSWORD)`

function emailIn([typed]: readonly string[]): string {
  if (!typed) throw new Refused(HELP)
  const email = readEmail(typed)
  if (email === null) throw new Refused(`${typed} is not an email address.`)
  const fault = lookAlikeFault(email)
  if (fault) throw new Refused(fault)
  return email
}

/** The password from ADMIN_PASSWORD or a hidden prompt; null if none is wanted. */
async function passwordFor(ask: boolean, email: string): Promise<string | null> {
  const fromEnv = process.env.ADMIN_PASSWORD
  if (!ask && fromEnv === undefined) return null
  const password = fromEnv ?? (await prompt('Password: '))
  if (!strongPassword(password)) throw new Refused(`${PASSWORD_RULE}.`)
  const fault = commonFault(password, { email, first_name: '', last_name: '' })
  if (fault) throw new Refused(fault)
  return password
}

async function prompt(question: string): Promise<string> {
  process.stdout.write(question)
  // Don't echo the password.
  const mute = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: mute, terminal: process.stdin.isTTY })
  const answer = await lines.question('')
  lines.close()
  process.stdout.write('\n')
  return answer
}

/** Creates the administrator, or a new link if they haven't registered; returns what to print. */
async function makeAdmin(database: Database, settings: Settings, email: string, hash: string | null): Promise<string> {
  return transact(database, async (tx) => {
    const now = new Date().toISOString()
    const known = await tx
      .selectFrom('users')
      .select(['id', 'status', 'role'])
      .where('email', '=', email)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (known?.role === 'client') throw new Refused(`${email} belongs to a client user.`)
    if (known?.status === 'active') throw new Refused(`${email} is already an administrator.`)
    const { token, fields } = newInvitation({ now })
    const account = hash
      ? { status: 'active' as const, password_hash: hash, invitation_hash: null, invitation_expires_at: null }
      : { status: 'invited' as const, password_hash: null, ...fields }
    const id = known
      ? known.id
      : (
          await tx
            .insertInto('users')
            .values(
              onlyColumns('users', {
                email,
                first_name: '',
                last_name: '',
                phone: '',
                company: '',
                role: 'admin',
                created_at: now,
                updated_at: now,
                ...account,
              }),
            )
            .returning('id')
            .executeTakeFirstOrThrow()
        ).id
    if (known)
      await tx
        .updateTable('users')
        .set((eb) => onlyColumns('users', { ...account, updated_at: now, lock_version: eb('lock_version', '+', 1) }))
        .where('id', '=', id)
        .execute()
    // Voids all earlier invitations.
    await dropBeside(tx, id, 'invitation')
    await closeSecrets(tx, id, 'invited again', now)
    const who = { subject: 'user', subject_id: id, project_id: null, actor_id: null, admin_id: null, partner_id: null }
    const what = {
      action: 'user.invite',
      origin: 'event' as const,
      before: '{}',
      after: JSON.stringify({ email, role: 'admin' }),
      reason: 'command line',
    }
    await tx
      .insertInto('history')
      .values(onlyColumns('history', { ...who, ...what, at: now }))
      .execute()
    if (hash) return `${email} is an administrator and can sign in at ${links.login(settings.publicUrl).url}`
    return `${email} is invited. This link works for ${INVITATION_DAYS} days:\n  ${links.registration(settings.publicUrl, token).url}`
  })
}

await runCommand(HELP, { password: { type: 'boolean' } }, 1, async (values, positionals) => {
  const email = emailIn(positionals)
  const settings = readSettings(process.env)
  for (const sentence of restrictPermissions(settings)) console.error(sentence)
  const password = await passwordFor(values.password === true, email)
  const database = connect(
    settings.directUrl ? { url: settings.directUrl, poolSize: 2 } : { file: join(settings.dataDir, 'fieldwork.db') },
  )
  try {
    await migrate(database)
    console.log(await makeAdmin(database, settings, email, password === null ? null : await hashPassword(password)))
  } finally {
    await database.close()
  }
})
