import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

/**
 * An S3 server (the package s3rver) in its own process, over the folder FOLDER; ends with its parent.
 * A line of JSON on its input, `{"key":"secret"}`, names all keys that it takes from then on.
 */
interface S3rver {
  run(): Promise<{ port: number }>
}
type Options = {
  directory: string
  address: string
  port: number
  silent: boolean
  vhostBuckets: boolean
  configureBuckets: object[]
}
const load = createRequire(import.meta.url)

interface Signed {
  uri: string
  querystring: string
}
/** SigV4 signs the address as it was sent; s3rver drops the slash after a listed bucket. */
const v4 = load('@20minutes/s3rver/lib/signature/v4.js') as { getStringToSign(asked: Signed, request: unknown): string }
const toSign = v4.getStringToSign
v4.getStringToSign = (asked, request) =>
  toSign(asked.querystring.includes('list-type=2') ? { ...asked, uri: `${asked.uri}/` } : asked, request)

const Server = load('@20minutes/s3rver') as new (options: Options) => S3rver
const { port } = await new Server({
  directory: process.env.FOLDER!,
  address: '127.0.0.1',
  port: Number(process.env.PORT ?? 0),
  silent: true,
  vhostBuckets: false,
  configureBuckets: [{ name: 'fieldwork' }],
}).run()
console.log(`port ${port}`)

interface Account {
  accessKeys: Map<string, string>
  createKeyPair(key: string, secret: string): void
  revokeAccessKey(key: string): void
}
const { DUMMY_ACCOUNT: account } = load('@20minutes/s3rver/lib/models/account.js') as { DUMMY_ACCOUNT: Account }
createInterface(process.stdin)
  .on('line', (line) => {
    for (const key of account.accessKeys.keys()) account.revokeAccessKey(key)
    for (const [key, secret] of Object.entries(JSON.parse(line) as Record<string, string>)) account.createKeyPair(key, secret)
    console.log('keys set')
  })
  .on('close', () => process.exit(0))
