import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** An email as received: the parsed message, and the envelope's addresses. */
type ParsedMail = Email & { envelope: { from: string; to: string[] } }

export type Smtp = {
  /** The value of SMTP_URL. */
  url: string
  /** Every email so far, oldest first. */
  mails: ParsedMail[]
  /** The first matching email, past or future; fails after `timeout` ms (5,000). */
  waitFor(fits: (mail: ParsedMail) => boolean, timeout?: number): Promise<ParsedMail>
  stop(): Promise<void>
}

/** Starts a real SMTP server on a free port of 127.0.0.1 that keeps every email; with `passwords`, it asks for one. */
export async function startSmtp(passwords?: ReadonlySet<string>): Promise<Smtp> {
  const mails: ParsedMail[] = []
  const waiting = new Set<() => void>()
  const server = new SMTPServer({
    authOptional: !passwords,
    allowInsecureAuth: true,
    disabledCommands: passwords ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
    onAuth: ({ username, password }, _session, done) =>
      passwords?.has(password ?? '') ? done(null, { user: username }) : done(new Error('wrong password')),
    disableReverseLookup: true,
    // It waited five seconds for connections that the client had left.
    closeTimeout: 100,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.once('error', done)
      stream.once('end', async () => {
        const { mailFrom, rcptTo } = session.envelope
        const envelope = { from: mailFrom ? mailFrom.address : '', to: rcptTo.map((one) => one.address) }
        mails.push({ ...(await PostalMime.parse(Buffer.concat(chunks))), envelope })
        done()
        for (const look of waiting) look()
      })
    },
  })
  server.on('error', () => {}) // a client may hang up at any time
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  if (!address || typeof address === 'string') throw new Error('The mail server has no port.')
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    waitFor: (fits, timeout = 5000) => waitForMail(mails, waiting, fits, timeout),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

function waitForMail(
  mails: ParsedMail[],
  waiting: Set<() => void>,
  fits: (mail: ParsedMail) => boolean,
  timeout: number,
): Promise<ParsedMail> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      waiting.delete(look)
      const seen = mails.map((mail) => `  ${mail.envelope.to.join(', ')}: ${mail.subject ?? ''}`).join('\n')
      reject(new Error(`No such mail came within ${timeout} ms. These came:\n${seen || '  none'}`))
    }, timeout)
    const look = () => {
      const mail = mails.find(fits)
      if (!mail) return
      clearTimeout(timer)
      waiting.delete(look)
      resolve(mail)
    }
    waiting.add(look)
    look()
  })
}
