import { currentTrace, readTraceContext, runInTrace } from './trace-context.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const valid = `00-${TRACE}-${PARENT}-01`;

describe('Trace context', () => {
  it('is read from a valid traceparent, and sent on unchanged', () => {
    expect(readTraceContext({ traceparent: valid })).toEqual({
      traceId: TRACE,
      headers: { traceparent: valid },
    });
    const notSampled = `00-${TRACE}-${PARENT}-00`;
    expect(readTraceContext({ traceparent: notSampled })?.headers.traceparent).toBe(notSampled);
  });

  it('of a later version is read and sent on as version 00, without the fields added to it', () => {
    for (const added of ['', '-', '-what-the-future-brings']) {
      const trace = readTraceContext({ traceparent: `cc-${TRACE}-${PARENT}-01${added}` });
      expect(trace).toEqual({ traceId: TRACE, headers: { traceparent: valid } });
    }
  });

  it.each([
    ['absent', undefined],
    ['empty', ''],
    ['version ff', `ff-${TRACE}-${PARENT}-01`],
    ['a version that is not hexadecimal', `0x-${TRACE}-${PARENT}-01`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['a parent id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['upper case', valid.toUpperCase()],
    ['a short trace id', `00-${TRACE.slice(1)}-${PARENT}-01`],
    ['a long parent id', `00-${TRACE}-${PARENT}0-01`],
    ['flags of one digit', `00-${TRACE}-${PARENT}-1`],
    ['no flags', `00-${TRACE}-${PARENT}`],
    ['more fields in version 00', `${valid}-more`],
    ['other text appended in a later version', `01-${TRACE}-${PARENT}-01.more`],
    ['two headers, as Node joins them', `${valid}, ${valid}`],
    ['blanks', ` ${valid}`],
    ['a line break', `${valid}\n`],
  ])('is none where traceparent is invalid: %s', (_, traceparent) => {
    expect(readTraceContext({ traceparent, tracestate: 'vendor=1' })).toBeNull();
  });

  it('sends tracestate on where it is text of a bounded length', () => {
    const headersFor = (tracestate: string) => readTraceContext({ traceparent: valid, tracestate })?.headers;
    expect(headersFor('congo=t61rcWkgMzE,rojo=1')).toEqual({
      traceparent: valid,
      tracestate: 'congo=t61rcWkgMzE,rojo=1',
    });
    for (const dropped of ['', 'x'.repeat(513), 'a=\u00e9', 'a=b\r\nc: d']) {
      expect(headersFor(dropped)).toEqual({ traceparent: valid });
    }
  });

  it('is known to everything that a request starts, and to no other request', async () => {
    const traces = [TRACE, TRACE.replace('4', '5')].map((id) =>
      readTraceContext({ traceparent: `00-${id}-${PARENT}-01` }),
    );
    const found = await Promise.all(
      [...traces, null].map((trace) =>
        runInTrace(trace, async () => {
          await new Promise((resolve) => setImmediate(resolve));
          return currentTrace() ?? null;
        }),
      ),
    );
    expect(found).toEqual([...traces, null]);
    expect(currentTrace()).toBeUndefined();
  });
});
