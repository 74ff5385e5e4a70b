import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { assistantOf } from '../verbs/assistant.ts'
import { confirmationsInMemory } from '../verbs/confirmations.ts'
import { instructionsOf, toolsOf } from '../verbs/tools.ts'
import type { Remote } from './remote.ts'

/** Bytes of one message from the assistant; a longer one ends the connection. */
const LONGEST_MESSAGE = 1_000_000
const TO_WRITE = '“fieldwork mcp --write”'

/** Serves the commands to an assistant over standard input and output, until it leaves. */
export async function serveMcp(
  remote: Remote,
  { writes, who, warn }: { writes: boolean; who: string; warn(line: string): void },
): Promise<void> {
  const assistant = assistantOf(remote, { writes, toWrite: TO_WRITE, confirmations: confirmationsInMemory() })
  const instructions = instructionsOf({ url: remote.url, who, writes, toWrite: TO_WRITE })
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: LONGEST_MESSAGE })
  const ended = new Promise<void>((done) => process.stdin.once('close', done))
  const handle = serveStdio(() => toolsOf(assistant, instructions), { transport, onerror: (error) => warn(error.message) })
  await ended
  await handle.close()
}
