/// <reference types="jest" />
import { format } from './format';

test('a document gets the usual form', () => {
  expect(format('query Q($n:Int=5){requests(first:$n){nodes{id}}}')).toBe(`query Q($n: Int = 5) {
  requests(first: $n) {
    nodes {
      id
    }
  }
}`);
});

test('comments stay before and behind what they belong to, also where the word query is left out', () => {
  const given = `# top
query { # who
  me { id
    # inside
  }
  # last
}
# end`;
  expect(format(given)).toBe(`# top
{ # who
  me {
    id
    # inside
  }
  # last
}
# end`);
});

test('what is formatted stays as it is', () => {
  const once = format('{ a # one\n b # two\n # three\n c }') ?? '';
  expect(format(once)).toBe(once);
});

test('a hash within a text is no comment', () => {
  expect(format('{ requests(filter: { subject: "#1" }) { id } }')).toContain('subject: "#1"');
});

test('what does not parse has no form', () => {
  expect(format('{ me {')).toBeUndefined();
});
