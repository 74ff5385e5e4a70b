import { createRequire } from 'node:module'

/** An S3 server (the package s3rver) in its own process, over the folder FOLDER; ends with its parent. */
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
process.stdin.resume().on('end', () => process.exit(0))
