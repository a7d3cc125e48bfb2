import assert from 'node:assert/strict';
import { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { createCallsUnderWay } from '../../../src/http/connections/calls-under-way.ts';

type Call = { readonly response: ServerResponse; readonly close: () => void };

function call(): Call {
  const response = new ServerResponse({ method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1 } as never);
  return { response, close: () => void response.emit('close') };
}

test('a call is over once: when its answer is known and its client has it, or has left', () => {
  for (const steps of [
    ['answered', 'close'],
    ['close', 'answered'],
  ]) {
    const calls = createCallsUnderWay();
    const { response, close } = call();
    let over = 0;
    calls.begin(response);
    calls.onOver(response, () => {
      over += 1;
    });
    const [first, last] = steps;
    for (const step of [first, last]) {
      assert.equal(over, 0, `before ${step}`);
      if (step === 'close') close();
      else calls.answered(response);
    }
    assert.equal(over, 1);
  }
});

test('an answer that was sent without a word about it is the end of its call, too', async () => {
  const calls = createCallsUnderWay();
  const { response, close } = call();
  let isOver = false;
  calls.begin(response);
  calls.onOver(response, () => {
    isOver = true;
  });
  response.end();
  close();
  assert.ok(isOver);
  await calls.allAnswered();
});

test('whoever waits for all calls goes on when the last of them is answered', async () => {
  const calls = createCallsUnderWay();
  const [one, other] = [call(), call()];
  for (const { response } of [one, other]) calls.begin(response);
  const ended: string[] = [];
  const waiting = ['first', 'second'].map((name) => calls.allAnswered().then(() => ended.push(name)));
  calls.answered(one.response);
  await Promise.resolve();
  assert.deepEqual(ended, []);
  calls.answered(other.response);
  await Promise.all(waiting);
  assert.deepEqual(ended, ['first', 'second']);
});
