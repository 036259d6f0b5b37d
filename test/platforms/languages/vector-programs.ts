/** For each language of docs/other-languages.md: a program that verifies each case of cases.json and prints the result. */
export const vectorPrograms = {
  python: {
    file: 'vectors.py',
    code: `import json
from turnpike import verify

for case in json.load(open("cases.json")):
    try:
        verify(case["body"].encode(), case["headers"], case["secrets"], case["now"])
        print("valid")
    except ValueError:
        print("refused")
`,
  },
  php: {
    file: 'vectors.php',
    code: `<?php
require 'turnpike.php';

foreach (json_decode(file_get_contents('cases.json'), true) as ['body' => $body, 'headers' => $given, 'secrets' => $secrets, 'now' => $now]) {
    foreach (['id', 'timestamp', 'signature'] as $name) $headers[$name] = $given["webhook-$name"] ?? '';
    try {
        verify($body, $headers, $secrets, $now);
        echo "valid\\n";
    } catch (UnexpectedValueException) {
        echo "refused\\n";
    }
}
`,
  },
  go: {
    file: 'vectors/main.go',
    code: `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	"shop/turnpike"
)

func main() {
	var cases []struct {
		Body    string
		Headers map[string]string
		Secrets []string
		Now     int64
	}
	text, err := os.ReadFile("cases.json")
	if err != nil {
		panic(err)
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		panic(err)
	}
	for _, one := range cases {
		headers := http.Header{}
		for name, value := range one.Headers {
			headers.Set(name, value)
		}
		if _, err := turnpike.Verify([]byte(one.Body), headers, one.Secrets, time.Unix(one.Now, 0)); err != nil {
			fmt.Println("refused")
		} else {
			fmt.Println("valid")
		}
	}
}
`,
  },
  java: {
    file: 'Vectors.java',
    code: `import java.io.File;
import java.security.SignatureException;
import java.time.Instant;
import java.util.ArrayList;

final class Vectors {
    public static void main(String[] args) throws Exception {
        for (var one : Turnpike.JSON.readTree(new File("cases.json"))) {
            var secrets = new ArrayList<String>();
            one.get("secrets").forEach(secret -> secrets.add(secret.asText()));
            try {
                Turnpike.verify(one.get("body").asText().getBytes("UTF-8"), name -> one.get("headers").path(name).asText(null),
                    secrets, Instant.ofEpochSecond(one.get("now").asLong()));
                System.out.println("valid");
            } catch (SignatureException error) {
                System.out.println("refused");
            }
        }
    }
}
`,
  },
} as const;
