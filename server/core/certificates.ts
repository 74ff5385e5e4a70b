import { isIP } from 'node:net'
import { connect as dial, type TLSSocket } from 'node:tls'
import type { Settings } from './settings.ts'

const WITHIN_MS = 5000

/** A TLS server that the settings name, and until when its certificate is valid, or why it isn't. */
export interface Certificate {
  name: string
  until: Date | null
  fault: string | null
}

/** Servers that the settings name by an address with TLS from the first byte: setting, host and port. */
function serversOf({ publicUrl, publicUrlSet, smtpUrl, filesUrl }: Settings): { name: string; host: string; port: number }[] {
  const endpoint = filesUrl?.startsWith('s3:') ? new URL(filesUrl).searchParams.get('endpoint') : null
  const named: [string, string | null, string, number][] = [
    ['PUBLIC_URL', publicUrlSet ? publicUrl : null, 'https:', 443],
    ['SMTP_URL', smtpUrl, 'smtps:', 465],
    ['FILES_URL', endpoint, 'https:', 443],
  ]
  return named.flatMap(([name, address, protocol, usual]) => {
    const url = address ? new URL(address) : null
    return url?.protocol === protocol ? [{ name, host: url.hostname, port: Number(url.port) || usual }] : []
  })
}

/** Looks at the certificates of all TLS servers that the settings name. */
export const certificatesOf = (settings: Settings): Promise<Certificate[]> =>
  Promise.all(
    serversOf(settings).map(
      ({ name, host, port }) =>
        new Promise<Certificate>((resolve) => {
          const end = (until: Date | null, fault: string | null) => {
            resolve({ name: `${name} (${host}:${port})`, until, fault })
            socket.destroy()
          }
          // It is looked at even if it isn't valid, to say why.
          const socket: TLSSocket = dial(
            { host, port, ...(isIP(host) ? {} : { servername: host }), rejectUnauthorized: false, timeout: WITHIN_MS },
            () =>
              end(
                socket.getPeerX509Certificate()?.validToDate ?? null,
                socket.authorized ? null : String(socket.authorizationError ?? 'it isn’t trusted'),
              ),
          )
          socket.once('error', (error) => end(null, error.message))
          socket.once('timeout', () => end(null, `no answer within ${WITHIN_MS / 1000} s`))
        }),
    ),
  )
