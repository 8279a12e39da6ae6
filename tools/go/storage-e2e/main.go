// Command storage-e2e runs Kubernetes' tests of external storage. Its flags are those of e2e.test.
//
// It has these tests only, so it is built in a fraction of the time.
package main

import (
	"flag"
	"os"
	"testing"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"k8s.io/kubernetes/test/e2e/framework"
	"k8s.io/kubernetes/test/e2e/framework/config"

	// The tests. The others gather what a failure needs, and wait for the nodes.
	_ "k8s.io/kubernetes/test/e2e/framework/debug/init"
	_ "k8s.io/kubernetes/test/e2e/framework/node/init"
	_ "k8s.io/kubernetes/test/e2e/storage/external"
	_ "k8s.io/kubernetes/test/utils/format"
)

// outcome is what Ginkgo calls for a failure. RunSpecs returns it, too.
type outcome struct{}

func (outcome) Fail() {}

func main() {
	// ginkgo passes a flag of Go's tests.
	testing.Init()
	config.CopyFlags(config.Flags, flag.CommandLine)
	framework.RegisterCommonFlags(flag.CommandLine)
	framework.RegisterClusterFlags(flag.CommandLine)
	flag.Parse()
	framework.AfterReadingAllFlags(&framework.TestContext)
	gomega.RegisterFailHandler(framework.Fail)
	suite, reporter := framework.CreateGinkgoConfig()
	if !ginkgo.RunSpecs(outcome{}, "external storage", suite, reporter) {
		os.Exit(1)
	}
}
