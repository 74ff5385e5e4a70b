import type { Answer, Fieldwork } from './support.ts'

/** A password that satisfies the rule. */
export const PASSWORD = 'Fieldwork-1!'

/** Signs in with a password, as a stranger. */
export const signIn = (app: Fieldwork, email: string, password = PASSWORD, headers = {}) =>
  app.as('stranger').call('session.signIn', { email, password }, headers)

/** The caller with a response's token headers. */
export const holder = (app: Fieldwork, answer: Answer) =>
  app.person(
    Object.fromEntries(
      ['access-token', 'token-type', 'client', 'expiry', 'uid'].map((name) => [name, String(answer.headers[name])]),
    ),
  )

/** A caller with the responses' cookies, like a browser. */
export function cookies(app: Fieldwork, ...answers: Answer[]) {
  const jar = new Map<string, string>()
  for (const line of answers.flatMap((answer) => (answer.headers['set-cookie'] as string[] | string | undefined) ?? [])) {
    const [name, value] = line.split(';')[0]!.split('=') as [string, string]
    if (value) jar.set(name, value)
    else jar.delete(name)
  }
  return app.person({ cookie: [...jar].map((pair) => pair.join('=')).join('; '), 'sec-fetch-site': 'same-origin' })
}

/** The last email to an address. */
export const mailTo = (app: Fieldwork, address: string) =>
  app.db.selectFrom('mails').selectAll().where('to_address', '=', address).orderBy('id', 'desc').executeTakeFirst()

/** The link's token in the last email to an address. */
export const linkTo = async (app: Fieldwork, address: string): Promise<string> =>
  /token=([\w-]+)/.exec((await mailTo(app, address))?.body ?? '')?.[1] ?? 'no link'

/** Confirms a new address by the link sent to it. */
export const confirmed = async (app: Fieldwork, address: string) =>
  app.as('stranger').call('session.confirmEmail', { token: await linkTo(app, address) })
