// Counts what Playwright sends to the browser: the messages on its pipe end with a zero byte.
import { createRequire } from 'node:module';

const childProcess = createRequire(import.meta.url)('node:child_process');
const COMMAND_PIPE = 3;

// Call before Playwright is loaded; returns a function that tells the number so far.
export function countCommands() {
  let sent = 0;
  const { spawn } = childProcess;
  childProcess.spawn = (...args) => {
    const child = spawn(...args);
    const pipe = child.stdio[COMMAND_PIPE];
    if (!pipe) return child;
    const write = pipe.write.bind(pipe);
    pipe.write = (chunk, ...rest) => {
      for (const unit of Buffer.from(chunk)) if (unit === 0) sent++;
      return write(chunk, ...rest);
    };
    return child;
  };
  return () => sent;
}
